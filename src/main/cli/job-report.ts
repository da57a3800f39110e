import type { JobView } from '../../shared/contract/jobs.ts'
import type { EngineResponse } from '../../shared/contract/calls.ts'
import type { Job } from '../../shared/jobs/job.ts'
import { PRACTICE_SERVICE } from '../../shared/recipes/recipe.ts'
import { hasEnded } from '../../shared/sentences/job-states.ts'
import type { Reason, ReasonCode } from '../../shared/sentences/reasons.ts'
import { noteText, reasonLine, reasonText, stateText } from '../../shared/sentences/reason-text.ts'
import { nameAmong } from '../core/published-output.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { isSameSentence } from '../../shared/sentences/sentence.ts'
import { exportedText } from '../../shared/presentation/export-jobs.ts'
import { listText } from '../../shared/text/list-text.ts'
import type { Engine } from '../engine/start-engine.ts'
import type { Cli } from './command.ts'
import { changeText, pathText, sizeText } from './figures.ts'

/** With its detail in English and as stored. */
export function reasonJson({ code, detail }: Reason) {
  return { code, detail: detail === null ? null : englishText(detail), sentence: detail }
}

/** Without an id if it is only previewed. `words`: its texts as they are now. */
export function jobLine(job: Job, words: EngineResponse<'jobs.words'> | null = null) {
  const outputs = job.outputs
    .filter((output) => output.state === 'published')
    .map(({ role, path, type, sizeBytes, sha256, width, height }) => ({
      role,
      path,
      type,
      sizeBytes,
      sha256,
      ...(width === undefined || height === undefined ? {} : { width, height }),
    }))
  return {
    event: 'job',
    id: job.id === '' ? null : job.id,
    path: job.source.path,
    state: job.state,
    ...(job.reason === null ? {} : { reason: reasonJson(job.reason) }),
    ...(job.notes.length === 0 ? {} : { notes: job.notes }),
    ...(outputs.length === 0 ? {} : { outputs }),
    ...(words === null ? {} : { texts: words.texts.map(exportedText), decorative: words.decorative }),
  }
}

/** Says what becomes of pictures, and adds it up; with `--json` in order, the done ones with their texts. */
export class JobReport {
  readonly totals = new RunTotals()
  readonly #cli: Cli
  readonly #engine: Engine
  readonly #saidHolds = new SaidHolds()
  #printed: Promise<void> = Promise.resolve()

  constructor(cli: Cli, engine: Engine) {
    this.#cli = cli
    this.#engine = engine
  }

  /** Whether a person was told of it. */
  add(job: JobView): boolean {
    this.totals.add(job)
    const { terminal, cwd } = this.#cli
    if (terminal.isJson) this.#print(job)
    if (terminal.isJson || !isWorthALine(job) || !this.#saidHolds.isNews(job)) return false
    for (const line of [jobText(job, cwd), ...noteLines(job)]) terminal.out(line)
    return true
  }

  addKnown(path: string, id: string | null, code: 'already_done' | 'own_output'): void {
    this.totals.addKnown(code)
    const reason = reasonJson({ code, detail: null })
    this.#cli.terminal.json({ event: 'job', id, path, state: 'skipped', reason })
  }

  /** Resolves when all that were added are printed. */
  printed(): Promise<void> {
    return this.#printed
  }

  #print(job: JobView): void {
    const asked = job.state === 'done' ? this.#engine.call('jobs.words', { id: job.id }) : null
    this.#printed = this.#printed.then(async () => {
      const words = await asked
      this.#cli.terminal.json(jobLine(job, words?.ok === true ? words.value : null))
    })
  }
}

/** For a job that ended or is held. */
export function jobText(job: JobView, cwd: string): string {
  const head = `${stateText(job.state).padEnd(9)} ${pathText(job.source.path, cwd)}`
  if (job.state === 'done') return `${head}  ${doneText(job)}`
  return job.reason === null ? head : `${head}  ${reasonLine(job.reason)}`
}

function doneText(job: JobView): string {
  const optimized = job.outputs.find((output) => output.role === 'optimized')
  const size =
    optimized === undefined
      ? ''
      : `${sizeText(job.source.sizeBytes)} → ${sizeText(optimized.sizeBytes)} (${changeText(job.source.sizeBytes, optimized.sizeBytes)})  `
  const names = listText(
    job.outputs.map(({ path }) => nameAmong(job.outputs, path)),
    'en',
  )
  return `${size}${names === '' ? 'no file was written' : names}`
}

export function noteLines(job: JobView): string[] {
  return job.state === 'done' || job.state === 'skipped' ? job.notes.map((note) => `          ${noteText(note)}`) : []
}

/** Each reason once, with the number of pictures and what to do; with the detail if it is the same for all. */
export function reasonParagraphs(jobs: readonly JobView[]): string[] {
  const groups = new Map<string, { job: JobView; reason: Reason; count: number }>()
  for (const job of jobs) {
    if (job.reason === null) continue
    const key = `${job.state} ${job.reason.code} ${isPractice(job)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { job, reason: job.reason, count: 1 })
    else {
      group.count += 1
      if (!isSameSentence(group.reason.detail, job.reason.detail)) group.reason = { ...group.reason, detail: null }
    }
  }
  return [...groups.values()].map(
    ({ job, reason, count }) => `${count} ${stateText(job.state)}: ${reasonText(reason, isPractice(job))}`,
  )
}

export const isPractice = ({ serviceId }: Pick<Job, 'serviceId'>): boolean => serviceId === PRACTICE_SERVICE

/** Reported once and not for each picture. */
const GENERAL_HOLDS: readonly ReasonCode[] = [
  'key_missing',
  'key_refused',
  'credits_short',
  'address_wrong',
  'spend_guard',
]

export const isGeneralHold = ({ state, reason }: JobView) =>
  state === 'held' && reason !== null && GENERAL_HOLDS.includes(reason.code)

/** While the disk is full, a job is retried and held again every minute. */
export class SaidHolds {
  readonly #reasons = new Map<string, ReasonCode>()

  /** False for a job that is held again for the reason reported last. */
  isNews({ id, state, reason }: Pick<JobView, 'id' | 'state' | 'reason'>): boolean {
    if (state !== 'held' || reason === null) return true
    const isNews = this.#reasons.get(id) !== reason.code
    this.#reasons.set(id, reason.code)
    return isNews
  }
}

/** Jobs under way are in the progress bar, pictures done before are counted, and general holds are reported at the end. */
function isWorthALine(job: JobView): boolean {
  const { state, reason } = job
  if (state === 'skipped') return reason?.code !== 'own_output' && reason?.code !== 'already_done'
  return (state === 'held' || hasEnded(state)) && !isGeneralHold(job)
}

/** Besides the counts of states. */
class RunTotals {
  #before = 0
  #after = 0
  doneBefore = 0
  ownOutputs = 0

  add(job: JobView): void {
    if (job.state === 'skipped') this.addKnown(job.reason?.code ?? '')
    const optimized = job.outputs.find((output) => output.role === 'optimized' && output.state === 'published')
    if (job.state !== 'done' || optimized === undefined) return
    this.#before += job.source.sizeBytes
    this.#after += optimized.sizeBytes
  }

  addKnown(reason: string): void {
    if (reason === 'already_done') this.doneBefore += 1
    if (reason === 'own_output') this.ownOutputs += 1
  }

  get savedBytes(): number {
    return Math.max(0, this.#before - this.#after)
  }

  /** ` · 3.1 MB → 2.0 MB (−35 %)`, or nothing if nothing was compressed. */
  savingText(): string {
    if (this.#before === 0) return ''
    return ` · ${sizeText(this.#before)} → ${sizeText(this.#after)} (${changeText(this.#before, this.#after)})`
  }
}
