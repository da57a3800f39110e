import { AppError } from '../../shared/sentences/errors.ts'
import type { ImageFacts, Job } from '../../shared/jobs/job.ts'
import type { FailReason, Reason } from '../../shared/sentences/reasons.ts'
import { isUnsent } from '../core/next-steps.ts'
import { maxSourceBytes } from '../core/plan-work.ts'
import type { FileVersion } from '../core/source-read.ts'
import type { DecisionContext, QueueContext } from './context.ts'
import { assessPicture, mayBeCharged, replacedJobs } from './assess-picture.ts'
import type { AssessOptions, Assessment, Snapshot } from './assess-picture.ts'
import { NameCounter } from './name-facts.ts'
import { newJob, type PictureRequest } from './new-job.ts'
import { findPayment, lastDispatch } from '../journal/payments.ts'
import { recordKnownFile, type KnownFileVerdict } from '../journal/known-files.ts'

/** A settled file from a watched folder, or one that a person named. */
export interface IntakeRequest extends PictureRequest {
  /** A truncated file does not fail yet: it may still be being copied. */
  mayBeUnfinished: boolean
}

export type IntakeOutcome =
  | { kind: 'job'; job: Job }
  /** Nothing to do and no new job: the job that did it, if the journal still has it. */
  | { kind: 'known'; reason: 'already_done' | 'own_output'; job: Job | null }
  | { kind: 'again' }
  | { kind: 'ignored' }

export type Verdict =
  /** A new job for the list: ready, or already ended. */
  | { kind: 'new'; job: Job; file: JudgedVersion }
  /** An earlier job for the same work has not ended. */
  | { kind: 'underWay'; job: Job }
  | { kind: 'known'; reason: 'already_done' | 'own_output'; job: Job | null; file: JudgedVersion }
  | { kind: 'again' }
  | { kind: 'ignored' }

type JudgedVersion = FileVersion & { sha256?: string }

/** How a file looks that is still being copied: some programs allocate its size first. */
const MAY_BE_UNFINISHED: readonly FailReason[] = ['cut_off', 'damaged']

/** Decides about one file with `judge`, and stores the verdict. Sends nothing. */
export function takeIn(context: QueueContext, makeId: () => string, request: IntakeRequest): Promise<IntakeOutcome> {
  const options = { leavesPixels: !request.mayBeUnfinished }
  return context.intakeMutex(request.path, async () =>
    store(context, makeId, request, await judge(context, request, options)),
  )
}

/** Decides about one file and changes nothing; previews use it too. Rejects with `aborted` during the decode. */
export async function judge(
  context: DecisionContext,
  request: IntakeRequest,
  options: AssessOptions = {},
): Promise<Verdict> {
  const read = await context.files.readSource(request.path, request.rootDir, maxSourceBytes(request.recipe))
  switch (read.kind) {
    case 'gone':
    case 'ignored':
      return { kind: 'ignored' }
    case 'changing':
      return { kind: 'again' }
    case 'refused': {
      const job = newJob(context, request, read, null)
      return ended(read, job, 'failed', { code: read.reason, detail: read.detail })
    }
    case 'snapshot':
      return judgeSnapshot(context, request, read, options)
  }
}

/** A sidecar that cannot be read now is no reason to pay: the file is judged again later. */
async function judgeSnapshot(
  context: DecisionContext,
  request: IntakeRequest,
  read: Snapshot,
  options: AssessOptions,
): Promise<Verdict> {
  try {
    return verdictOn(context, request, read, await assessPicture(context, request, read, options))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unreadable') throw error
    if (request.mayBeUnfinished) return { kind: 'again' }
    const job = newJob(context, request, read, null)
    return ended(read, job, 'failed', { code: 'unreadable', detail: error.sentence })
  }
}

function verdictOn(context: DecisionContext, request: IntakeRequest, read: Snapshot, assessment: Assessment): Verdict {
  const jobWith = (image: ImageFacts | null) => newJob(context, request, read, image)
  switch (assessment.kind) {
    case 'ownOutput':
      if (!assessment.isUnrecorded) return { kind: 'known', reason: 'own_output', job: null, file: read }
      return ended(read, jobWith(null), 'skipped', { code: 'own_output', detail: null })
    case 'existing':
      if (assessment.job.state === 'done')
        return { kind: 'known', reason: 'already_done', job: assessment.job, file: read }
      return { kind: 'underWay', job: assessment.job }
    case 'refused':
      if (MAY_BE_UNFINISHED.includes(assessment.reason) && request.mayBeUnfinished) return { kind: 'again' }
      return ended(read, jobWith(assessment.image), 'failed', { code: assessment.reason, detail: assessment.detail })
    case 'nothingToDo':
      return ended(read, jobWith(assessment.image), 'skipped', { code: 'nothing_to_do', detail: assessment.why })
    case 'work':
      return { kind: 'new', job: jobFor(context, request, read, assessment), file: read }
  }
}

function ended(file: JudgedVersion, job: Job, state: 'failed' | 'skipped', reason: Reason): Verdict {
  return { kind: 'new', job: { ...job, state, reason }, file }
}

/** Only a job that will write files takes a number. */
function withNames(context: QueueContext, job: Job): Job {
  const named = job.state === 'ready' ? new NameCounter(context).namedOf(job, { store: true }) : undefined
  return named === undefined ? job : { ...job, named }
}

/** Stores a new job, and removes ended jobs for the same file that are no longer of use. */
function store(context: QueueContext, makeId: () => string, request: IntakeRequest, verdict: Verdict): IntakeOutcome {
  switch (verdict.kind) {
    case 'new': {
      const { job, file } = verdict
      // A picture that the recipe cannot process keeps the job that it had.
      const sent = job.state === 'failed' ? null : cancelReplaced(context, request)
      if (sent !== null) return { kind: 'job', job: sent }
      const stored = withNames(context, { ...job, id: makeId() })
      context.store.insert(stored)
      if (stored.state === 'ready' && context.cancelledBatches.has(request.batchId))
        context.store.apply(stored.id, { type: 'cancel' })
      recordFile(context, request, file, job.reason?.code === 'own_output' ? 'own_output' : 'job')
      return { kind: 'job', job: stored }
    }
    case 'underWay': {
      const { job } = verdict
      context.store.move(job.id, request.batchId)
      return { kind: 'job', job: context.store.get(job.id) ?? job }
    }
    case 'known': {
      const { reason, job, file } = verdict
      cancelReplaced(context, request)
      // An attempt in between may have failed for lack of a file descriptor or because of a bad cable; that is over.
      context.store.forgetEnded(request.path)
      recordFile(context, request, file, reason)
      return { kind: 'known', reason, job }
    }
    case 'again':
    case 'ignored':
      return verdict
  }
}

/** Cancels unsent jobs that this recipe replaces. Returns one that was sent since the picture was judged: then there is no new job. */
function cancelReplaced({ store }: QueueContext, request: IntakeRequest): Job | null {
  if (request.insteadOf === undefined || request.insteadOf.size === 0) return null
  const jobs = replacedJobs(store.list({ path: request.path }), request)
  const sent = jobs.find(mayBeCharged)
  if (sent !== undefined) return sent
  for (const { id } of jobs.filter(isUnsent)) store.apply(id, { type: 'cancel' })
  return null
}

/** The job for a picture that needs work. A result listed in its sidecar counts for this job only. */
function jobFor(
  context: DecisionContext,
  request: IntakeRequest,
  read: Snapshot,
  { image, plan, paidKey, findings }: Extract<Assessment, { kind: 'work' }>,
): Job {
  const { db } = context
  const job = { ...newJob(context, request, read, image), operation: plan.send, paidKey }
  if (request.force && paidKey !== null) job.approvalCovers = lastDispatch(db, paidKey, request.batchId)
  if (image.extras.includes('other_data')) job.notes.push({ code: 'data_after_image_end', detail: null })
  // Noted before it is sent: its result is paid for either way.
  job.notes.push(...plan.notes.filter(({ code }) => code === 'animation_may_be_lost'))
  if (findings.isDone) {
    // Shows what the job that made the files showed.
    const result = (paidKey === null ? null : findPayment(db, paidKey)?.result) ?? findings.result
    const { remoteJobId, outputs } = findings
    const reason: Reason = { code: 'already_done', detail: null }
    const decorative = findings.decorative ? { decorative: true } : {}
    return { ...job, state: 'skipped', reason, result, remoteJobId, outputs, ...decorative }
  }
  return paidKey === null ? job : { ...job, result: findings.result, remoteJobId: findings.remoteJobId }
}

function recordFile(
  context: QueueContext,
  request: IntakeRequest,
  file: JudgedVersion,
  verdict: KnownFileVerdict,
): void {
  const { sizeBytes, mtimeNs, ctimeNs, ino, sha256 = null } = file
  recordKnownFile(context.db, { path: request.path, sizeBytes, mtimeNs, ctimeNs, ino, sha256 }, verdict)
}
