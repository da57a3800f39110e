import { Background, guardTimers } from '../../shared/background.ts'
import type { EnginePort } from '../../shared/contract/engine-port.ts'
import { AppError } from '../../shared/errors.ts'
import type { ChildPort, Clock, HttpPort, Logger, Random, SecretStore } from '../../shared/ports.ts'
import { PRACTICE_SERVICE } from '../../shared/recipe.ts'
import { say } from '../../shared/sentence.ts'
import type { Settings } from '../../shared/settings.ts'
import { RunIntake } from '../intake/run-intake.ts'
import { Folders } from '../intake/watched-folders.ts'
import { servicesBoundTo } from '../journal/batches.ts'
import { countRemoved } from '../journal/removed-jobs.ts'
import { countToReview } from '../journal/reviews.ts'
import { keepStopped } from '../journal/stopped-tasks.ts'
import { recover, sweepAfterCrash } from '../queue/recovery.ts'
import { settleRenames } from '../queue/rename-results.ts'
import { folderFacts } from '../watch/folder-state.ts'
import { ownPlaces, type OwnPlaces } from '../watch/own-places.ts'
import type { SampleSource } from './calls/call-deps.ts'
import { createCalls } from './calls/calls.ts'
import { closeAll } from './close-all.ts'
import { createChargers } from './engine-chargers.ts'
import { openData, type EngineData } from './engine-data.ts'
import { EngineEvents } from './engine-events.ts'
import { createFiles } from './engine-files.ts'
import { createQueue, type Queue } from './engine-queue.ts'
import type { PracticeAccess } from './lanes.ts'
import { startUpkeep, writeLateTexts } from './upkeep.ts'

export interface EngineDeps {
  dataDir: string
  clock: Clock
  random: Random
  log: Logger
  /** Runs the engine's background tasks; a shell that shows stopped tasks passes its own. */
  background?: Background
  secrets: SecretStore
  http: HttpPort
  child: ChildPort
  /** The running practice service: it is used where no address of an image or charger service is set. */
  practice: () => PracticeAccess | null
  /** Without it there are no sample pictures, and unfinished jobs of earlier ones wait. */
  samples?: SampleSource
  /** For this run only; take precedence over the stored settings. */
  overrides: Partial<Settings>
  /** Overrides the stored value of every watched folder for this run. */
  askAbove?: number
  /**
   * `all`: everything ready is sent. `batch`: only this run's batch is sent; results of what earlier runs sent are still
   * fetched. `none`: no work is started, for a caller that only reads or changes the journal.
   */
  scope: 'all' | 'batch' | 'none'
  /** Whether folders are watched. */
  watch: boolean
}

export interface Engine extends EnginePort {
  /** The machine woke from sleep. */
  resumed(): void
  /** Stops intake, waits up to `graceMs` for answers to what was sent, journals them, and releases the data folder. */
  stop(graceMs: number): Promise<void>
  /** Whether unfinished work is bound to the practice service, whichever service is in use. */
  needsPractice(): boolean
  /** For how long (ms) the service in use has not answered; null while it does. */
  unreachableForMs(): number | null
}

/**
 * Composition only: creates the parts, each from earlier ones, recovers the journal, and starts them. Knows no shell. Stopping
 * goes in reverse order. Throws `data_folder_in_use`, `data_folder_unusable`, `journal_too_new`, or the error of an address.
 */
export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const { log, scope } = deps
  const background = deps.background ?? new Background({ log, nowMs: () => deps.clock.nowMs() })
  const clock = guardTimers(deps.clock, background)
  const stopping = new AbortController()
  // Closed in reverse order: the timers first, the lock of the data folder last.
  const opened: (() => unknown)[] = []
  try {
    const data = await openData({ ...deps, clock }, opened)
    opened.push(keepStopped(background, data.documents, scope !== 'none'))
    const events = new EngineEvents(log)
    const files = createFiles({ child: deps.child, clock })
    opened.push(() => files.close())
    const shared = { ...deps, clock, background, data, events }
    const queue = createQueue({
      ...shared,
      files,
      samples: deps.samples ?? null,
      askAbove: deps.askAbove,
      stopping: stopping.signal,
    })
    const { context, lanes, runner, status, team } = queue
    opened.push(() => team.close())
    const own = () => ownPlaces(deps.dataDir, data.settings().inboxDir)
    const { intake, folders } = createIntake({
      data,
      events,
      background,
      queue,
      own,
      keepsOpenBatches: scope === 'all',
    })

    if (scope !== 'none') {
      await sweepAfterCrash(context, files)
      await settleRenames(context, data.documents)
      const recovered = recover(context)
      if (recovered.unknown + recovered.resumed > 0) log.info('going on after a restart', recovered)
    }
    await team.refresh()
    await lanes.refresh()
    if (scope !== 'none') team.watchUnknown(context, background)
    if (scope !== 'none') background.run('texts', () => writeLateTexts(context))

    const chargers = createChargers({ ...shared, ...data, tell: (event) => events.emit(event) })
    opened.push(() => chargers.close())
    const calls = createCalls({
      ...deps,
      ...data,
      ...queue,
      intake,
      folders,
      chargers,
      samples: deps.samples ?? null,
      own,
      stopping: stopping.signal,
      tell: (event) => events.emit(event),
    })
    opened.push(
      startUpkeep({
        context,
        background,
        events,
        carryOut: (command) => calls.carryOut(command),
        writesTexts: scope !== 'none',
      }),
    )

    if (scope === 'all') {
      intake.resume()
      // A resumed batch may be bound to a service that has no lane yet.
      if (servicesBoundTo(data.db).length > 0) await lanes.refresh()
    }
    if (deps.watch) {
      await folders.startAll()
      background.run('chargers_refresh', () => chargers.book.start())
    }
    if (scope !== 'none') runner.start()

    // In parallel, so that they share the grace period.
    const endWork = async (graceMs: number) => {
      for (const ended of await Promise.allSettled([folders.stop(), intake.stop(), runner.stop(graceMs)]))
        if (ended.status === 'rejected') throw ended.reason
    }
    return {
      call: calls.call,
      perform: calls.perform,
      ask: calls.ask,
      subscribe: (listener) => events.subscribe(listener),
      snapshot: () => ({
        seq: events.seq,
        counts: context.store.count(),
        needsReview: countToReview(data.db),
        removed: countRemoved(data.db),
        folders: deps.watch ? folders.views() : [],
        away: intake.away(),
        service: status(),
        settings: data.settings(),
        chargers: chargers.state(),
      }),
      resumed: () => {
        folders.resumed()
        chargers.book.resumed()
      },
      needsPractice: () => !stopping.signal.aborted && servicesBoundTo(data.db).includes(PRACTICE_SERVICE),
      unreachableForMs: () => status()?.unreachable?.forMs ?? null,
      stop: async (graceMs) => {
        // A call that a person waits for fails with this reason instead of waiting.
        stopping.abort(new AppError('aborted', say('hangar_stopping')))
        await closeAll([...opened.splice(0), () => endWork(graceMs)])
      },
    }
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

interface IntakeDeps {
  data: EngineData
  events: EngineEvents
  background: Background
  queue: Queue
  own: () => OwnPlaces
  keepsOpenBatches: boolean
}

/** What brings pictures into the queue: runs, drops, and watched folders. */
function createIntake({ data, events, background, queue, own, keepsOpenBatches }: IntakeDeps) {
  const { context, runner, serviceId } = queue
  const { documents, makeId } = data
  const intake = new RunIntake({
    context,
    documents,
    keepsOpenBatches,
    makeId,
    serviceId,
    own,
    onBatch: (batch) => {
      events.emit({ type: 'batch', batch })
      if (!batch.open) runner.wake()
    },
    onAway: (batches) => events.emit({ type: 'away', batches }),
    onKnown: (batchId, path, { reason, job }) =>
      events.emit({ type: 'known', batchId, path, jobId: job?.id ?? null, reason }),
  })
  const folders = new Folders({
    context,
    background,
    documents,
    makeId,
    serviceId,
    own,
    onState: (id, state) => events.emit({ type: 'folder', id, ...folderFacts(state) }),
    onChange: () => {
      events.emit({ type: 'folders' })
      // The new settings may release what is held.
      runner.requestSweep()
    },
    onMoved: () => {
      events.emit({ type: 'removed', jobs: 0 })
      runner.wake()
    },
    onBurstEnd: () => runner.wake(),
  })
  return { intake, folders }
}
