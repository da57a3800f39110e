import { basename } from 'node:path'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { toAppError } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { Job } from '../../shared/jobs/job.ts'
import type { ConvertFormat, Operation, PaidKey } from '../../shared/recipes/recipe.ts'
import { inOrder } from '../core/in-order.ts'
import { planWork, sendsCopy, type WorkPlan } from '../core/plan-work.ts'
import { RETRIES } from '../core/retries.ts'
import { sleep } from '../core/sleep.ts'
import { spendGroups, type SpendGroup } from '../core/spend-guard.ts'
import { transition } from '../core/transition.ts'
import type { DecisionContext } from '../queue/context.ts'
import { judge, type Verdict } from '../queue/intake.ts'
import { newJob, type PictureRequest } from '../queue/new-job.ts'
import { needOf } from '../queue/prepare-ready.ts'
import type { FoundImage } from '../watch/find-images.ts'
import { ExpectedOutputs } from './expected-outputs.ts'
import { isFresh } from './run-intake.ts'

const EXAMPLES = 5
const SHOWN = 6
const REFUSALS = 20
const byName = new Intl.Collator('en', { numeric: true }).compare

/** The part of a preview that the pictures themselves decide. */
type PreviewFacts = Omit<IntakePreview, 'foreign' | 'otherTypes' | 'price' | 'away' | 'held' | 'progress'>

export type Prospect =
  | {
      kind: 'work'
      job: Job
      plan: WorkPlan
      /** What would be dispatched; null if all is done here, it is already paid for, or it is a twin. */
      sent: Operation | null
      isPaid: boolean
      /** An earlier picture of the batch has the same content, and is sent for both. */
      isTwin: boolean
      /** A copy would be dispatched: smaller, or in another type. */
      isCopy: boolean
      /** The target folder, and the names in it; `<seo>` stands for the name that the service will suggest. */
      dir: string
      names: string[]
    }
  /** It would fail, be skipped or become unknown at once: nothing would be sent or written. */
  | { kind: 'over'; job: Job }
  /** An earlier job for the same work is under way. */
  | { kind: 'underWay'; job: Job }
  /** Nothing to do, and no new job. */
  | { kind: 'known'; path: string; sizeBytes: number; reason: 'already_done' | 'own_output'; jobId: string | null }

interface PreviewRequest extends Pick<PictureRequest, 'recipe' | 'serviceId' | 'force' | 'insteadOf'> {
  /** Retries files that are just being written, as the intake does; otherwise they are left out. */
  isPatient: boolean
}

/**
 * Previews pictures by the same decisions as the intake and the queue. Nothing is stored, written or sent. Jobs that do not exist yet have
 * no id. Throws `signal`'s reason when aborted.
 */
export async function* previewIntake(
  context: DecisionContext,
  images: readonly FoundImage[],
  request: PreviewRequest,
  signal: AbortSignal,
): AsyncGenerator<Prospect> {
  const prospects = new Prospects(context)
  const tries = request.isPatient ? RETRIES.unfinishedFile.tries : 1
  let left = images
  for (let attempt = 1; left.length > 0 && attempt <= tries; attempt += 1) {
    if (attempt > 1) await sleep(context.clock, RETRIES.unfinishedFile.firstMs, signal)
    const again: FoundImage[] = []
    const isLast = attempt === tries
    const inspect = async (image: FoundImage) => ({
      image,
      verdict: await judgeOne(context, image, request, isLast, signal),
    })
    // One more than there are workers, so that the next picture is read and hashed while they are busy.
    for await (const { image, verdict } of inOrder(left, context.files.imageWorkers + 1, inspect, signal)) {
      if (verdict.kind === 'again') again.push(image)
      else if (verdict.kind !== 'ignored') yield await prospects.next(image, verdict)
    }
    left = again
  }
  const detail = say('file_changing')
  for (const image of left) yield { kind: 'over', job: unreadable(context, image, request, detail) }
}

/** What becomes of a file that cannot be read now. */
function unreadable(context: DecisionContext, image: FoundImage, asked: PreviewRequest, detail: Sentence | null): Job {
  const job = newJob(context, requestFor(image, asked), image, null)
  return { ...job, state: 'failed', reason: { code: 'unreadable', detail } }
}

function requestFor({ path, rootDir }: FoundImage, { recipe, serviceId, force, insteadOf }: PreviewRequest) {
  return { path, rootDir, folderId: null, batchId: '', recipe, serviceId, force, insteadOf }
}

async function judgeOne(
  context: DecisionContext,
  image: FoundImage,
  asked: PreviewRequest,
  isLast: boolean,
  signal: AbortSignal,
): Promise<Verdict> {
  const { path, sizeBytes, mtimeNs } = image
  const request = requestFor(image, asked)
  const judgeAs = (mayBeUnfinished: boolean) => judge(context, { ...request, mayBeUnfinished }, { signal })
  try {
    const verdict = await judgeAs(false)
    // Checks whether the file is fresh only where that makes a difference.
    const isFailed = verdict.kind === 'new' && verdict.job.state === 'failed'
    return isFailed && !isLast && (await isFresh(path, context.clock.nowMs())) ? await judgeAs(true) : verdict
  } catch (error) {
    const { code, sentence } = toAppError(error)
    if (signal.aborted || code === 'internal') throw error
    return {
      kind: 'new',
      job: unreadable(context, image, asked, sentence),
      file: { sizeBytes, mtimeNs, ctimeNs: '', ino: '' },
    }
  }
}

/** Remembers earlier pictures of the preview. */
class Prospects {
  readonly #context: DecisionContext
  readonly #outputs: ExpectedOutputs
  readonly #sent = new Set<PaidKey>()

  constructor(context: DecisionContext) {
    this.#context = context
    this.#outputs = new ExpectedOutputs(context)
  }

  async next(
    { path, sizeBytes }: FoundImage,
    verdict: Exclude<Verdict, { kind: 'again' | 'ignored' }>,
  ): Promise<Prospect> {
    if (verdict.kind === 'known')
      return { kind: 'known', path, sizeBytes, reason: verdict.reason, jobId: verdict.job?.id ?? null }
    const { job } = verdict
    const plan = job.state === 'ready' && job.image !== null ? planWork(job.recipe, job.image) : null
    if (plan === null || 'cannot' in plan) return { kind: verdict.kind === 'underWay' ? 'underWay' : 'over', job }
    const { paidKey } = job
    const isTwin = paidKey !== null && this.#sent.has(paidKey)
    const need = paidKey === null || isTwin ? null : needOf(this.#context, job)
    if (need?.kind === 'over') return { kind: 'over', job: transition(job, need.event, this.#context.clock.nowMs()) }
    const sent = need?.kind === 'send' ? plan.send : null
    if (sent !== null && paidKey !== null) this.#sent.add(paidKey)
    return {
      kind: 'work',
      job,
      plan,
      sent,
      isPaid: paidKey !== null && sent === null && !isTwin,
      isTwin,
      isCopy: sent !== null && sendsCopy(job.recipe, job.image!.type, job.source.sizeBytes),
      ...(await this.#outputs.of(job, plan)),
    }
  }
}

const pathOf = (prospect: Prospect) => (prospect.kind === 'known' ? prospect.path : prospect.job.source.path)
const isOwnOutput = (prospect: Prospect) =>
  (prospect.kind === 'known' ? prospect.reason : prospect.job.reason?.code) === 'own_output'

/** Running totals of one preview; they take little memory even for a hundred thousand pictures. */
export class PreviewTotals {
  readonly #paidKeys: PaidKey[] = []
  #inspected = 0
  #twins = 0
  readonly #counts = { free: 0, done: 0, nothingToDo: 0, refused: 0, results: 0, resultBytes: 0 }
  readonly #refusals: IntakePreview['refusals'] = []
  #examples: IntakePreview['examples'] = []
  readonly #first: string[] = []

  add(prospect: Prospect): void {
    this.#inspected += 1
    if (this.#first.length < SHOWN && !isOwnOutput(prospect)) this.#first.push(pathOf(prospect))
    switch (prospect.kind) {
      case 'known':
        return this.#isOver(prospect.reason, prospect.sizeBytes)
      case 'underWay':
        this.#counts.done += 1
        return
      case 'over': {
        const { reason, source } = prospect.job
        if (reason === null) return
        if (reason.code === 'own_output' || reason.code === 'already_done')
          return this.#isOver(reason.code, source.sizeBytes)
        if (reason.code === 'nothing_to_do') this.#counts.nothingToDo += 1
        else {
          this.#counts.refused += 1
          if (this.#refusals.length < REFUSALS) this.#refusals.push({ name: basename(source.path), reason })
        }
        return
      }
      case 'work': {
        const { job, sent, isTwin, names } = prospect
        if (sent !== null && job.paidKey !== null) this.#paidKeys.push(job.paidKey)
        else this.#counts.free += 1
        if (isTwin) this.#twins += 1
        const examples = [...this.#examples, { source: basename(job.source.path), outputs: names }]
        this.#examples = examples.sort((one, other) => byName(one.source, other.source)).slice(0, EXAMPLES)
      }
    }
  }

  #isOver(reason: 'own_output' | 'already_done', sizeBytes: number): void {
    if (reason === 'already_done') this.#counts.done += 1
    else {
      this.#counts.results += 1
      this.#counts.resultBytes += sizeBytes
    }
  }

  get inspected(): number {
    return this.#inspected
  }

  /** `pictures` includes twins. */
  get spend(): { dispatches: number; pictures: number } {
    return { dispatches: this.#paidKeys.length, pictures: this.#paidKeys.length + this.#twins }
  }

  groups(format: ConvertFormat): SpendGroup[] {
    return spendGroups(this.#paidKeys, format)
  }

  /** For all pictures of an intake. If only some were examined it is an estimate, with `groups` scaled up too. */
  summary(
    all: { count: number; bytes: number },
    isEstimate: boolean,
    format: ConvertFormat,
  ): { facts: PreviewFacts; groups: SpendGroup[] } {
    const scale = isEstimate && this.#inspected > 0 ? all.count / this.#inspected : 1
    const scaled = (count: number) => Math.round(count * scale)
    const facts = {
      pictures: all.count - scaled(this.#counts.results),
      totalBytes: Math.max(0, all.bytes - scaled(this.#counts.resultBytes)),
      toSend: scaled(this.#paidKeys.length),
      free: scaled(this.#counts.free),
      done: scaled(this.#counts.done),
      nothingToDo: scaled(this.#counts.nothingToDo),
      refused: scaled(this.#counts.refused),
      refusals: this.#refusals.slice(),
      estimated: isEstimate,
      examples: this.#examples,
      first: this.#first.slice(),
    }
    return { facts, groups: this.groups(format).map((group) => ({ ...group, images: scaled(group.images) })) }
  }
}
