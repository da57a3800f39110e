import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import type { BatchView, ForeignFolders } from '../../shared/contract/intake.ts'
import type { JobCounts, JobView } from '../../shared/contract/jobs.ts'
import { END_STATES, HoldReason, type JobState } from '../../shared/sentences/reasons.ts'
import { BURST_LIMIT } from '../core/spend-guard.ts'
import type { Engine } from '../engine/start-engine.ts'
import { orThrow } from '../engine/ask-engine.ts'
import type { RunEnd } from './exit-code.ts'
import { afterFirstTry, isFinal, type Unreachable } from './unreachable.ts'

const CHECK_MS = 100
/** Jobs are counted this often even without an event, because waits and outages cause none. */
const RECOUNT_MS = 1000
const PAGE = 1000

interface RunListener {
  /** Any event of a job of the run, even without a change of state. */
  onChange(job: JobView, from: JobState | null): void
  /** A job of the run entered a state; not repeated for the same state. */
  onJob(job: JobView): void
  /** A file that needs nothing. */
  onKnown(path: string, jobId: string | null, reason: 'already_done' | 'own_output'): void
  onCounts(batch: BatchView, counts: JobCounts): void
  /** Why nothing can be sent for now; null when it can again. */
  onUnreachable(why: Unreachable | null): void
  /** The spend guard holds this many pictures. Resolves to whether a person approves. */
  confirmSpend(pictures: number): Promise<boolean>
}

export interface RunFollowed extends RunEnd {
  /** Files that needed nothing. */
  known: number
  found: number
  /** Folders of other programs that were not entered. */
  foreign: ForeignFolders
  /** Jobs that ended or are held without being done, for the summary. */
  notDone: JobView[]
}

const ACTIVE = ['ready', 'sending', 'waiting', 'fetching', 'writing'] as const satisfies readonly JobState[]
const UNDER_WAY = ['sending', 'waiting', 'fetching', 'writing'] as const satisfies readonly JobState[]
const sum = (counts: JobCounts, states: readonly JobState[]) =>
  states.reduce((total, state) => total + counts[state], 0)

/** The service's last answer about this job could not be used. */
const isPutOff = ({ reason }: JobView): boolean =>
  reason?.code === 'service_doubtful' || reason?.code === 'service_unreachable' || reason?.code === 'too_few_files'

/** The number of jobs under way. */
export const activeCount = (counts: JobCounts) => sum(counts, ACTIVE)

/**
 * Starts a run and waits until all its files are examined and none of its jobs is under way. Ends earlier when the service or the
 * team ledger has not answered for `waitMs`, or has said nothing usable about the jobs that are left for so long, or the ledger cannot be used at all, unless `needsService` is false; when a full disk has
 * held everything up for `waitMs`; and when `stop` aborts.
 */
export async function followRun(
  engine: Engine,
  begin: () => Promise<{ batchId: string }>,
  listener: RunListener,
  { needsService, waitMs, stop }: { needsService: boolean; waitMs: number; stop: AbortSignal },
): Promise<RunFollowed> {
  const reported = new Map<string, JobState>()
  const reportJob = (job: JobView) => {
    if (reported.get(job.id) === job.state) return
    reported.set(job.id, job.state)
    listener.onJob(job)
  }
  const startedAtMs = Date.now()
  let isDirty = true
  let lastMoveMs = performance.now()
  let lastProgressMs = lastMoveMs
  let early: EngineEvent[] | null = []
  let batchId = ''
  const take = (event: EngineEvent) => {
    if (event.type === 'job' && event.job.batchId === batchId) {
      isDirty = true
      lastMoveMs = performance.now()
      if (!isPutOff(event.job)) lastProgressMs = lastMoveMs
      listener.onChange(event.job, event.from)
      reportJob(event.job)
    } else if (event.type === 'known' && event.batchId === batchId) {
      isDirty = true
      listener.onKnown(event.path, event.jobId, event.reason)
    } else if (event.type === 'batch' && event.batch.id === batchId) isDirty = true
  }
  const unsubscribe = engine.subscribe((event) => (early === null ? take(event) : early.push(event)))
  try {
    batchId = (await begin()).batchId
    const waiting: EngineEvent[] = early
    early = null
    waiting.forEach(take)
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
      if (!isDirty && !stop.aborted && performance.now() - lastCountMs < RECOUNT_MS) continue
      isDirty = false
      lastCountMs = performance.now()
      const [batch, { counts }] = await Promise.all([
        orThrow(engine.ask.batches.get({ id: batchId })),
        orThrow(engine.ask.jobs.counts({ batchId })),
      ])
      listener.onCounts(batch, counts)
      const end = (how: Partial<RunEnd>) => ended(engine, batch, counts, reportJob, how)
      if (stop.aborted) return await end({ interrupted: true })
      const active = activeCount(counts)
      const givesUp =
        unreachable !== null && (unreachable.forMs >= waitMs || (isFinal(unreachable) && counts.writing === 0))
      if (active > 0 && givesUp) return await end({ unreachable: unreachable.code })
      const quietMs = performance.now() - lastProgressMs
      if (active > 0 && !batch.open && quietMs >= waitMs && (await jobsIn(engine, batchId, ACTIVE)).every(isPutOff))
        return await end({ unreachable: 'service_doubtful' })
      const stuck = counts.held > 0 && sum(counts, UNDER_WAY) === 0 && performance.now() - lastMoveMs >= waitMs
      if (batch.open) continue
      if (!triedHeld) {
        // The run includes jobs that an earlier run left held: check the causes once more.
        triedHeld = true
        const before = counts.held === 0 ? [] : await jobsIn(engine, batchId, ['held'])
        const ids = before.filter((job) => job.updatedAtMs < startedAtMs).map(({ id }) => id)
        if (ids.length > 0) await orThrow(engine.ask.jobs.retry({ ids }))
        isDirty = true
        continue
      }
      if (active > 0 && !stuck) continue
      if (!asked && !batch.confirmed && counts.held > 0 && batch.takenIn > BURST_LIMIT) {
        asked = true
        const guarded = (await jobsIn(engine, batchId, ['held'])).filter(({ reason }) => reason?.code === 'spend_guard')
        if (guarded.length > 0 && (await listener.confirmSpend(guarded.length))) {
          await orThrow(engine.ask.batches.confirm({ id: batchId }))
          await orThrow(engine.ask.jobs.retry({ ids: guarded.map(({ id }) => id) }))
          isDirty = true
          continue
        }
      }
      return await end({})
    }
  } finally {
    unsubscribe()
  }
}

async function ended(
  engine: Engine,
  batch: BatchView,
  counts: JobCounts,
  reportJob: (job: JobView) => void,
  how: Partial<RunEnd>,
): Promise<RunFollowed> {
  const states = [...END_STATES.filter((state) => state !== 'done' && state !== 'skipped'), 'held'] as JobState[]
  const notDone = await jobsIn(engine, batch.id, states)
  // Some were in this state before the run, so there was no event.
  notDone.forEach(reportJob)
  const holds = notDone
    .map(({ reason }) => HoldReason.safeParse(reason?.code))
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []))
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
    const { jobs } = await orThrow(engine.ask.jobs.list({ batchId, states: [...states], afterId, limit: PAGE }))
    all.push(...jobs)
    if (jobs.length < PAGE) return all
    afterId = jobs.at(-1)!.id
  }
}
