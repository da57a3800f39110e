import { Background } from '../../src/shared/runtime/background.ts'
import { DurationModel } from '../../src/main/core/duration-model.ts'
import { createKeyedMutex } from '../../src/main/core/keyed-mutex.ts'
import { type JobChange, JobStore } from '../../src/main/journal/job-store.ts'
import type { QueueContext } from '../../src/main/queue/context.ts'
import { Lane } from '../../src/main/queue/lane.ts'
import { wakeTwins } from '../../src/main/queue/prepare-ready.ts'
import { Runner } from '../../src/main/queue/runner.ts'
import { creditsWanted } from '../../src/main/queue/short-of-credits.ts'
import { releaseDiskHolds } from '../../src/main/queue/sweep-holds.ts'
import { NO_GUARD } from '../journal/no-guard.ts'

type LaneDeps = ConstructorParameters<typeof Lane>[0]

interface QueueParts extends Pick<QueueContext, 'db' | 'files' | 'clock' | 'random' | 'log' | 'settings'> {
  lanes: readonly (Pick<LaneDeps, 'serviceId' | 'budget' | 'saveBudget'> & Pick<Lane, 'service' | 'accountId'>)[]
  activeService: () => string
  onBalance: LaneDeps['onBalance']
  /** Told of each change, before anything else is. */
  onJob?: (change: JobChange) => void
  askAbove?: number
  /** Releasing what was held for the disk failed. */
  onError: (error: unknown) => unknown
}

/** The queue as the engine puts it together, over parts in memory and in virtual time. */
export function openQueue({
  lanes: laneParts,
  activeService,
  onBalance,
  onError,
  onJob,
  askAbove = 100,
  ...given
}: QueueParts) {
  const { db, clock, random, log } = given
  const store: JobStore = new JobStore(
    db,
    () => clock.nowMs(),
    (change) => {
      const { job, from } = change
      onJob?.(change)
      runner.wake()
      if (from === null || job.state === from) return
      wakeTwins(context, job)
      if (job.state === 'done')
        releaseDiskHolds(context, { shouldContinue: () => true, isBusy: (id) => runner.isBusy(id) }).catch(onError)
    },
  )
  const background = new Background({ log, nowMs: () => clock.nowMs() })
  const context: QueueContext = {
    ...given,
    store,
    askAbove: () => askAbove,
    cancelRequested: new Set(),
    cancelledBatches: new Set(),
    intakeMutex: createKeyedMutex(),
    textMutex: createKeyedMutex(),
    writing: { isBlocked: false },
    guard: NO_GUARD,
    background,
  }
  const lanes = laneParts.map(({ service, accountId, ...own }) => {
    const lane = new Lane({
      ...own,
      clock,
      random,
      log,
      onBalance,
      hasEnded: () => false,
      creditsWanted: () => creditsWanted(db, own.serviceId),
      onChange: () => runner.wake(),
      onHold: () => runner.requestSweep(),
    })
    return Object.assign(lane, { service, accountId })
  })
  const models = new Map(lanes.map(({ serviceId }) => [serviceId, new DurationModel()]))
  const runner: Runner = new Runner(context, {
    background,
    lanes: () => lanes,
    activeService,
    modelOf: (serviceId) => models.get(serviceId)!,
    saveModel: () => undefined,
    scope: () => ({}),
  })
  return { store, context, lanes, background, runner }
}
