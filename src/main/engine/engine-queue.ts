import { Folder } from '../../shared/contract/folders.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import { NO_SERVICE, PRACTICE_SERVICE, type ServiceId } from '../../shared/recipes/recipe.ts'
import { createKeyedMutex } from '../core/keyed-mutex.ts'
import type { ServicePace } from '../core/time-left.ts'
import { BURST_LIMIT } from '../core/spend-guard.ts'
import { DurationModels } from '../journal/duration-models.ts'
import { latestBalance } from '../journal/history.ts'
import { JobStore, type JobChange } from '../journal/job-store.ts'
import type { QueueContext } from '../queue/context.ts'
import { reuseIfPaid, wakeTwins } from '../queue/prepare-ready.ts'
import type { Lane } from '../queue/lane.ts'
import { momentOf } from '../queue/poll-times.ts'
import { Runner } from '../queue/runner.ts'
import { releaseDiskHolds } from '../queue/sweep-holds.ts'
import { TeamIdentity } from '../team/team-identity.ts'
import { viewOf } from './calls/job-view.ts'
import type { EngineData } from './engine-data.ts'
import type { EngineEvents } from './engine-events.ts'
import type { EngineFiles } from './engine-files.ts'
import type { EngineRun } from './engine-run.ts'
import { LaneSet } from './lanes.ts'
import { Team } from './team.ts'

interface QueueDeps extends EngineRun {
  data: EngineData
  events: EngineEvents
  files: EngineFiles
}

export interface Queue {
  context: QueueContext
  lanes: LaneSet
  runner: Runner
  serviceId: () => ServiceId
  /** Unix ms: balances as of then or later were asked for by this start. */
  startedMs: number
  /** The status of the service in use; null if none is chosen. */
  status: () => ServiceStatus | null
  pace: () => ServicePace | null
  team: Team
  /** With the scope `batch`, only this batch is sent. */
  onBatch: (batchId: string) => void
  /** Whether what is ready of a batch is sent. */
  sends: (batchId: string) => boolean
}

/** Creates the job store, the lanes and the runner, and connects them. */
// oxlint-disable-next-line max-lines-per-function -- parts that need each other are wired in one scope
export function createQueue(deps: QueueDeps): Queue {
  const { data, events, background, clock, random, log, scope, stopping } = deps
  const { db, documents, settings, guard } = data

  const onRemoved = (jobs: number) => events.emit({ type: 'removed', jobs })
  // Called once all parts exist, as are the others below.
  const jobChanged = ({ job, from, toReview, left }: JobChange) => {
    if (job.state !== from) team.jobChanged(job)
    events.emit({ type: 'job', job: viewOf(db, job), from, toReview, ...(left !== undefined && { left }) })
    runner.wake()
    if (job.state !== from) follow({ context, runner, stopping, reuses: scope !== 'none' }, { job, from })
  }
  const store = new JobStore(db, () => clock.nowMs(), jobChanged, onRemoved)
  const context: QueueContext = {
    db,
    store,
    files: deps.files,
    clock,
    random,
    log,
    settings,
    askAbove: (folderId) => {
      const folder = folderId === null ? null : documents.get('folder', folderId, Folder)
      const above = folder === null ? BURST_LIMIT : (deps.askAbove ?? folder.askAbove)
      return above === 0 ? Infinity : above
    },
    cancelRequested: new Set(),
    cancelledBatches: new Set(),
    intakeMutex: createKeyedMutex(),
    textMutex: createKeyedMutex(),
    writing: { isBlocked: false },
    guard,
    background,
    accountSpent: (serviceId) => lanes.get(serviceId)?.ledger.spent() ?? null,
  }

  const laneChanged = () => {
    emitStatus()
    runner.wake()
  }
  const team: Team = new Team({
    ...deps,
    ...data,
    identity: new TeamIdentity(documents),
    // Spend that the ledger counted may release what a cap holds, or hold more.
    onChange: () => {
      laneChanged()
      runner.requestSweep()
    },
  })
  const lanes: LaneSet = new LaneSet({
    ...deps,
    ...data,
    ledgerOf: (...account) => team.ledgerOf(...account),
    onChange: laneChanged,
    onHold: () => {
      emitStatus()
      runner.requestSweep()
    },
  })

  const models = new DurationModels(documents)
  let ownBatch = 'none yet'
  const runner = new Runner(context, {
    background,
    lanes: () => lanes.all(),
    activeService: () => lanes.activeId,
    modelOf: (service) => models.of(service),
    saveModel: (service) => models.save(service),
    scope: () => (scope === 'all' ? {} : { batchId: ownBatch }),
  })
  const startedMs = clock.nowMs()
  const status = () => statusOf(lanes, context, startedMs)
  const emitStatus = emitWhenChanged(status, startedMs, events)

  return {
    context,
    lanes,
    team,
    runner,
    serviceId: () => lanes.activeId ?? NO_SERVICE,
    startedMs,
    status,
    pace: () => paceOf(lanes.active(), context, models),
    onBatch: (batchId) => (ownBatch = batchId),
    sends: (batchId) => scope === 'all' || batchId === ownBatch,
  }
}

/** Wakes other jobs after a change of one: those with the same content, and those that wait for space on the disk. */
function follow(
  { context, runner, stopping, reuses }: Pick<Queue, 'context' | 'runner'> & { stopping: AbortSignal; reuses: boolean },
  { job, from }: Pick<JobChange, 'job' | 'from'>,
): void {
  // The change itself is in the journal, and the runner finds these jobs again later.
  const notNow = (error: unknown) => context.log.warn('waking other pictures failed', { error: String(error) })
  try {
    if (from !== null) wakeTwins(context, job)
    else if (reuses) reuseIfPaid(context, job)
  } catch (error) {
    notNow(error)
  }
  if (job.state === 'done')
    releaseDiskHolds(context, { shouldContinue: () => !stopping.aborted, isBusy: (id) => runner.isBusy(id) }).catch(
      notNow,
    )
}

/** The account at the practice service is new at every start. */
function statusOf(lanes: LaneSet, { db, clock }: QueueContext, startedMs: number): ServiceStatus | null {
  const lane = lanes.active()
  if (lane === null) return null
  const practice = lane.serviceId === PRACTICE_SERVICE
  const balance = latestBalance(db, lane.serviceId)
  return {
    serviceId: lane.serviceId,
    baseUrl: lanes.baseUrlOf(lane.serviceId),
    practice,
    hasKey: lane.service !== null,
    keychainLocked: lane.isKeychainLocked,
    hold: lane.hold,
    unreachable: unreachableOf(lane, clock),
    balance: practice && balance !== null && balance.atMs < startedMs ? null : balance,
    requests: lane.slots.requests,
  }
}

function paceOf(lane: Lane | null, { store, clock }: QueueContext, models: DurationModels): ServicePace | null {
  if (lane === null) return null
  const { wallMs, monotonicMs } = momentOf(clock)
  return {
    slotsInMs: lane.slots.schedule(monotonicMs).map((atMs) => Math.max(0, atMs - monotonicMs)),
    atService: store.waitingAt(lane.serviceId).map(({ operation, sentAtMs }) => ({
      operation: operation ?? 'process',
      ageMs: Math.max(0, wallMs - (sentAtMs ?? wallMs)),
    })),
    durations: models.of(lane.serviceId),
  }
}

function unreachableOf({ trouble, ledger }: Lane, clock: Clock): ServiceStatus['unreachable'] {
  const nowMs = clock.monotonicMs()
  if (ledger.trouble !== null) {
    const { code, detail, sinceMs } = ledger.trouble
    return { code, detail, forMs: nowMs - sinceMs }
  }
  return trouble === null ? null : { code: trouble.reason, detail: null, forMs: nowMs - trouble.sinceMs }
}

/** Emits the status when more than counts and times differ, and at the first balance since `startedMs`. */
function emitWhenChanged(status: () => ServiceStatus | null, startedMs: number, events: EngineEvents): () => void {
  let lastSent = ''
  return () => {
    const now = status()
    const key = JSON.stringify([
      now?.hold,
      now?.unreachable?.code,
      now?.unreachable?.detail,
      now?.balance?.credits,
      (now?.balance?.atMs ?? 0) >= startedMs,
      now?.hasKey,
      now?.keychainLocked,
    ])
    if (now === null || key === lastSent) return
    lastSent = key
    events.emit({ type: 'service', status: now })
  }
}
