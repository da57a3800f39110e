import { Background } from '../../src/shared/runtime/background.ts'
import type { Clock, Logger, Random } from '../../src/shared/runtime/ports.ts'
import type { Settings } from '../../src/shared/settings/settings.ts'
import { DurationModel } from '../../src/main/core/duration-model.ts'
import { createKeyedMutex } from '../../src/main/core/keyed-mutex.ts'
import type { RateBudget, RateBudgetState } from '../../src/main/core/rate-budget.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import type { Db } from '../../src/main/journal/journal.ts'
import type { QueueContext } from '../../src/main/queue/context.ts'
import { Lane } from '../../src/main/queue/lane.ts'
import { wakeTwins } from '../../src/main/queue/prepare-ready.ts'
import { Runner } from '../../src/main/queue/runner.ts'
import { creditsWanted } from '../../src/main/queue/short-of-credits.ts'
import { releaseDiskHolds } from '../../src/main/queue/sweep-holds.ts'
import { NO_GUARD } from '../journal/no-guard.ts'
import type { MemoryFiles } from './memory-files.ts'
import type { SimulatedService } from './simulated-service.ts'

interface QueueParts {
  db: Db
  clock: Clock
  files: MemoryFiles
  random: Random
  log: Logger
  settings: () => Settings
  lanes: readonly LaneParts[]
  activeService: () => string
  onBalance: (credits: number) => unknown
  /** Releasing what was held for the disk failed. */
  onError: (error: unknown) => unknown
}

interface LaneParts {
  serviceId: string
  service: SimulatedService
  accountId: string
  budget: RateBudget
  saveBudget: (state: RateBudgetState) => void
}

/** The queue as the engine puts it together, over parts in memory and in virtual time. */
export function openQueue(parts: QueueParts) {
  const { db, clock, files, random, log, settings, activeService, onBalance, onError } = parts
  const store: JobStore = new JobStore(
    db,
    () => clock.nowMs(),
    ({ job, from }) => {
      runner.wake()
      if (from === null || job.state === from) return
      wakeTwins(context, job)
      if (job.state === 'done')
        releaseDiskHolds(context, { shouldContinue: () => true, isBusy: (id) => runner.isBusy(id) }).catch(onError)
    },
  )
  const context: QueueContext = {
    db,
    store,
    files,
    clock,
    random,
    log,
    settings,
    askAbove: () => 100,
    cancelRequested: new Set(),
    intakeMutex: createKeyedMutex(),
    textMutex: createKeyedMutex(),
    writing: { isBlocked: false },
    guard: NO_GUARD,
  }
  const lanes = parts.lanes.map(({ serviceId, service, accountId, budget, saveBudget }) => {
    const lane = new Lane({
      serviceId,
      clock,
      random,
      log,
      budget,
      saveBudget,
      hasEnded: () => false,
      creditsWanted: () => creditsWanted(db, serviceId),
      onBalance,
      onChange: () => runner.wake(),
      onHold: () => runner.requestSweep(),
    })
    return Object.assign(lane, { service, accountId })
  })
  const models = new Map(lanes.map(({ serviceId }) => [serviceId, new DurationModel()]))
  const background = new Background({ log, nowMs: () => clock.nowMs() })
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
