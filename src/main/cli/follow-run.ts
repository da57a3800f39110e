import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import type { BatchView, ForeignFolders } from '../../shared/contract/intake.ts'
import type { JobCounts, JobView } from '../../shared/contract/jobs.ts'
import { activeIn, countIn } from '../../shared/presentation/progress-figures.ts'
import { ACTIVE_STATES, END_STATES, UNDER_WAY_STATES } from '../../shared/sentences/job-states.ts'
import { HoldReason, type JobState } from '../../shared/sentences/reasons.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { stoppedText } from '../core/attention.ts'
import { BURST_LIMIT } from '../core/spend-guard.ts'
import type { Engine } from '../engine/start-engine.ts'
import { orThrow } from '../../shared/contract/call.ts'
import type { RunEnd } from './exit-code.ts'
import type { JobReport } from './job-report.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import { reasonText } from '../../shared/sentences/reason-text.ts'

const CHECK_MS = 100
/** Waits and outages cause no events, so jobs are counted this often. */
const RECOUNT_MS = 1000
const PAGE = 1000

export interface RunListener {
  /** Each job once per state, and each file that needs nothing. */
  readonly jobs: Pick<JobReport, 'add' | 'addKnown'>
  onCounts(batch: BatchView, counts: JobCounts): void
  /** Null when something can be sent again. */
  onUnreachable(why: Unreachable | null): void
  /** The spend guard holds pictures: whether a person approves. */
  confirmSpend(pictures: number): Promise<boolean>
}

export interface RunFollowed extends RunEnd {
  known: number
  found: number
  foreign: ForeignFolders
  /** Jobs that ended otherwise or are held. */
  notDone: JobView[]
}

/** The service's last answer about this job could not be used. */
const isPutOff = ({ reason }: JobView): boolean =>
  reason?.code === 'service_doubtful' || reason?.code === 'service_unreachable' || reason?.code === 'too_few_files'

/**
 * Starts a run and waits until all its files are examined and none of its jobs is under way. Gives up when `stop` aborts, when for `waitMs`
 * a full disk, also one under the journal, has held everything up or the service or the team ledger has said nothing usable, or at once
 * when the ledger cannot be used.
 */
export async function followRun(
  engine: Engine,
  begin: () => Promise<{ batchId: string }>,
  listener: RunListener,
  { needsService, waitMs, stop }: { needsService: boolean; waitMs: number; stop: AbortSignal },
): Promise<RunFollowed> {
  const startedAtMs = Date.now()
  const heard = new RunEvents(listener)
  const unsubscribe = engine.subscribe((event) => heard.take(event))
  try {
    const { batchId } = await begin()
    heard.begins(batchId)
    let triedHeld = false
    let asked = false
    let wasUnreachable = false
    for (let lastCountMs = -Infinity; ;) {
      await sleep(CHECK_MS, undefined, { signal: stop }).catch(() => undefined)
      const broken = engine.broken()
      if (broken !== null) throw broken
      const unreachable = needsService ? afterFirstTry(engine.unreachable()) : null
      if (unreachable !== null || wasUnreachable) listener.onUnreachable(unreachable)
      wasUnreachable = unreachable !== null
      if (!heard.isNews && !stop.aborted && performance.now() - lastCountMs < RECOUNT_MS) continue
      heard.isNews = false
      lastCountMs = performance.now()
      const [batch, { counts }] = await Promise.all([
        orThrow(engine.call('batches.get', { id: batchId })),
        orThrow(engine.call('jobs.counts', { batchId })),
      ])
      listener.onCounts(batch, counts)
      const early = stop.aborted
        ? { interrupted: true }
        : await whyGivenUp(engine, { batch, counts, unreachable, waitMs, quietMs: heard.quietMs() })
      if (early !== null) return await ended(engine, batch, counts, heard, early)
      if (batch.open) continue
      if (!triedHeld) {
        triedHeld = true
        await retryHeld(engine, batchId, counts, startedAtMs)
        heard.isNews = true
        continue
      }
      const stuck = counts.held > 0 && countIn(counts, UNDER_WAY_STATES) === 0 && heard.stillMs() >= waitMs
      if (activeIn(counts) > 0 && !stuck) continue
      if (!asked && !batch.confirmed && counts.held > 0 && batch.takenIn > BURST_LIMIT) {
        asked = true
        if (await sendsConfirmed(engine, batchId, listener)) {
          heard.isNews = true
          continue
        }
      }
      return await ended(engine, batch, counts, heard, {})
    }
  } finally {
    unsubscribe()
  }
}

/** Passes on what the engine says about a run, each state of a job once. */
class RunEvents {
  readonly #listener: RunListener
  readonly #reported = new Map<string, JobState>()
  /** Until the run has an id. */
  readonly #early: EngineEvent[] = []
  #batchId: string | null = null
  #movedMs = performance.now()
  #progressMs = this.#movedMs
  /** Something happened since this was last set to false. */
  isNews = true

  constructor(listener: RunListener) {
    this.#listener = listener
  }

  begins(batchId: string): void {
    this.#batchId = batchId
    this.#early.splice(0).forEach((event) => this.take(event))
  }

  take(event: EngineEvent): void {
    const batchId = this.#batchId
    if (batchId === null) this.#early.push(event)
    else if (event.type === 'job' && event.job.batchId === batchId) {
      this.isNews = true
      this.#movedMs = performance.now()
      if (!isPutOff(event.job)) this.#progressMs = this.#movedMs
      this.report(event.job)
    } else if (event.type === 'known' && event.batchId === batchId) {
      this.isNews = true
      this.#listener.jobs.addKnown(event.path, event.jobId, event.reason)
    } else if (event.type === 'batch' && event.batch.id === batchId) this.isNews = true
  }

  report(job: JobView): void {
    if (this.#reported.get(job.id) === job.state) return
    this.#reported.set(job.id, job.state)
    this.#listener.jobs.add(job)
  }

  stillMs(): number {
    return performance.now() - this.#movedMs
  }

  /** Since the service said anything usable about the jobs. */
  quietMs(): number {
    return performance.now() - this.#progressMs
  }
}

interface Patience {
  batch: BatchView
  counts: JobCounts
  unreachable: Unreachable | null
  waitMs: number
  quietMs: number
}

/** Why the run ends with jobs under way; null while it goes on. Throws when the queue could not work for `waitMs`. */
async function whyGivenUp(
  engine: Engine,
  { batch, counts, unreachable, waitMs, quietMs }: Patience,
): Promise<Partial<RunEnd> | null> {
  const blocked = engine.blocked()
  if (blocked !== null && Date.now() - blocked.sinceMs >= waitMs)
    throw new AppError(blocked.code, say('cli_blocked', { why: raw(stoppedText(blocked.task, blocked.code, null)) }))
  if (activeIn(counts) === 0) return null
  if (unreachable !== null && (unreachable.forMs >= waitMs || (isFinal(unreachable) && counts.writing === 0)))
    return { unreachable: unreachable.code }
  const isDoubtful = !batch.open && quietMs >= waitMs && (await jobsIn(engine, batch.id, ACTIVE_STATES)).every(isPutOff)
  return isDoubtful ? { unreachable: 'service_doubtful' } : null
}

/** Tries jobs again that an earlier run left held. */
async function retryHeld(engine: Engine, batchId: string, counts: JobCounts, startedAtMs: number): Promise<void> {
  const before = counts.held === 0 ? [] : await jobsIn(engine, batchId, ['held'])
  const ids = before.filter((job) => job.updatedAtMs < startedAtMs).map(({ id }) => id)
  if (ids.length > 0) await orThrow(engine.call('jobs.retry', { ids }))
}

async function sendsConfirmed(engine: Engine, batchId: string, listener: RunListener): Promise<boolean> {
  const guarded = (await jobsIn(engine, batchId, ['held'])).filter(({ reason }) => reason?.code === 'spend_guard')
  if (guarded.length === 0 || !(await listener.confirmSpend(guarded.length))) return false
  await orThrow(engine.call('batches.confirm', { id: batchId }))
  await orThrow(engine.call('jobs.retry', { ids: guarded.map(({ id }) => id) }))
  return true
}

async function ended(
  engine: Engine,
  batch: BatchView,
  counts: JobCounts,
  heard: RunEvents,
  how: Partial<RunEnd>,
): Promise<RunFollowed> {
  const states = [...END_STATES.filter((state) => state !== 'done' && state !== 'skipped'), 'held'] as JobState[]
  const notDone = await jobsIn(engine, batch.id, states)
  // Some were in this state before the run, so there was no event.
  notDone.forEach((job) => heard.report(job))
  const holds = notDone.flatMap(({ reason }) => HoldReason.safeParse(reason?.code).data ?? [])
  return {
    counts,
    leftOut: batch.leftOut,
    missed: batch.missed,
    holds,
    unreachable: null,
    interrupted: false,
    known: batch.known,
    found: batch.found,
    foreign: batch.foreign,
    notDone,
    ...how,
  }
}

async function jobsIn(engine: Engine, batchId: string, states: readonly JobState[]): Promise<JobView[]> {
  const all: JobView[] = []
  for (let afterId = ''; ;) {
    const { jobs } = await orThrow(engine.call('jobs.list', { batchId, states: [...states], afterId, limit: PAGE }))
    all.push(...jobs)
    if (jobs.length < PAGE) return all
    afterId = jobs.at(-1)!.id
  }
}

export type Unreachable = NonNullable<ServiceStatus['unreachable']>

/** Waiting does not help: a person has to update Hangar or correct the settings. */
export const isFinal = ({ code }: Unreachable): boolean => code === 'ledger_newer' || code === 'ledger_refused'

/** Null while the team ledger is tried for the first time. */
export function afterFirstTry(unreachable: Unreachable | null): Unreachable | null {
  return unreachable?.code === 'ledger_away' && unreachable.detail === null ? null : unreachable
}

/** Any trouble with the service itself is told in the same words. */
export function unreachableText({ code, detail }: Unreachable): string {
  return code.startsWith('ledger_') || code === 'too_few_files'
    ? reasonText({ code, detail })
    : 'The service does not answer. Nothing more is sent until it does.'
}
