import { join } from 'node:path'
import { Background, guardTimers, type StoppedTask } from '../../shared/runtime/background.ts'
import type { EngineEvent, EnginePort } from '../../shared/contract/engine-port.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import { countIn } from '../../shared/presentation/progress-figures.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { UNDER_WAY_STATES } from '../../shared/sentences/job-states.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { RunIntake } from '../intake/run-intake.ts'
import { Folders } from '../intake/watched-folders.ts'
import { createInFlight } from '../core/in-flight.ts'
import { servicesBoundTo } from '../journal/batches.ts'
import { lastEventMs } from '../journal/history.ts'
import { JOURNAL_NAME } from '../journal/journal.ts'
import { journalTrouble } from '../journal/journal-trouble.ts'
import { countRemoved } from '../journal/removed-jobs.ts'
import { countToReview } from '../journal/reviews.ts'
import { heldBatches } from '../queue/spend.ts'
import { recover, sweepAfterCrash } from '../queue/recovery.ts'
import { finishRenames } from '../queue/rename-results.ts'
import { IMAGE_SERVICE_SETTINGS } from '../services/image-service.ts'
import { folderFacts } from '../watch/folder-state.ts'
import { ownPlaces, type OwnPlaces } from '../watch/own-places.ts'
import { createCalls } from './calls/calls.ts'
import { closeAll } from './end-process.ts'
import { createChargers, type Chargers } from './engine-chargers.ts'
import { openData, type EngineData } from './engine-data.ts'
import { EngineEvents } from './engine-events.ts'
import { createFiles } from './engine-files.ts'
import { EngineHooks } from './engine-hooks.ts'
import { createQueue, type Queue } from './engine-queue.ts'
import type { EngineDeps, EngineRun } from './engine-run.ts'
import { measureProgress } from './progress-meter.ts'
import { serveCalls } from './serve-calls.ts'
import { startUpkeep, writeLateTexts } from './upkeep.ts'

interface Vitals {
  /** How many calls may be made to the service in use now; null without one. */
  callsLeft: number | null
  /** When something last happened to a picture, in Unix milliseconds; null for never. */
  lastEventMs: number | null
}

export interface Engine extends EnginePort {
  /** The machine woke from sleep. */
  resumed(): void
  /** Waits for what writes to a person's folders, and up to `graceMs` for answers to dispatches; then releases the data folder. */
  stop(graceMs: number): Promise<void>
  /** Tells hooks what they have not been told yet, and waits until all have run: each takes a minute at most. */
  finishHooks(): Promise<void>
  /**
   * Whether it is not stopping, the journal can be relied on, and neither the last pass over the queue nor the last work on a picture
   * failed. Never resolves while the process hangs.
   */
  works(): Promise<boolean>
  /** What monitors read beside the snapshot. */
  vitals(): Vitals
  /** Why nothing can be sent to the service in use for now; null while it answers. */
  unreachable(): ServiceStatus['unreachable']
  /** What keeps the whole queue from working for now, such as a full disk under the journal; null while it works. */
  blocked(): StoppedTask | null
  /** Why nothing is sent until the next start (`JournalGuard`), once what was sent before is finished as far as possible. */
  broken(): AppError | null
  /** What `broken` says, as soon as it says something; null once `stop` aborts. */
  untilBroken(stop: AbortSignal): Promise<AppError | null>
}

/** Creates the parts, recovers the journal, and starts them. Throws as `openData` does, or the error of an address. */
export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const background = deps.background ?? new Background({ log: deps.log, nowMs: () => deps.clock.nowMs() })
  const stopping = new AbortController()
  const run: EngineRun = {
    ...deps,
    background,
    clock: guardTimers(deps.clock, background),
    stopping: stopping.signal,
    fileWork: createInFlight(),
    opened: [],
  }
  try {
    const opened = await openParts(run)
    const { paused } = deps
    if (paused !== undefined) await opened.data.settingsStore.change((stored) => ({ ...stored, paused }))
    await recoverWork(run, opened)
    await connect(run, opened)
    const parts = { ...opened, ...(await answerCalls(run, opened)) }
    await startWork(run, parts)
    return {
      ...portOf(run, parts),
      stop: async (graceMs) => {
        // A call that a person waits for fails with this reason instead of waiting.
        stopping.abort(new AppError('aborted', say('hangar_stopping')))
        await closeAll([...run.opened.splice(0), () => endWork(run, parts, graceMs)])
      },
    }
  } catch (error) {
    stopping.abort(error)
    await run.fileWork.ended()
    await closeAll(run.opened)
    throw journalTrouble(error, join(deps.dataDir, JOURNAL_NAME)) ?? error
  }
}

type OpenedParts = Awaited<ReturnType<typeof openParts>>
type Parts = OpenedParts & Awaited<ReturnType<typeof answerCalls>>

/** The data folder, the queue and the intake; nothing in them moves yet. */
async function openParts(run: EngineRun) {
  const { clock, opened } = run
  const data = await openData(run)
  const events = new EngineEvents(run.log)
  const files = createFiles({
    dataDir: run.dataDir,
    child: run.child,
    clock: run.childClock ?? clock,
    replacer: () => data.fingerprint('who replaces originals'),
  })
  opened.push(() => files.close())
  const queue = createQueue({ ...run, data, events, files })
  opened.push(() => queue.team.close())
  const own = () => ownPlaces(run.dataDir, data.settings().inboxDir)
  const intake = createIntake(run, data, events, queue, own)
  return { data, events, files, queue, own, ...intake }
}

/** Brings journal and folders to a consistent state, however the last run ended. Sends nothing. */
async function recoverWork({ scope, log }: EngineRun, { data, files, queue: { context } }: OpenedParts): Promise<void> {
  if (scope === 'none') return
  await sweepAfterCrash(context, files)
  await finishRenames(context, data.documents)
  const recovered = recover(context)
  if (recovered.unknown + recovered.resumed > 0) log.info('going on after a restart', recovered)
}

/** Opens the lanes that settings and unfinished jobs need, within the team if there is one. */
async function connect(run: EngineRun, { queue }: OpenedParts): Promise<void> {
  const { scope, background, fileWork, stopping } = run
  const { context, lanes, team } = queue
  await team.refresh()
  await lanes.refresh()
  if (scope === 'none') return
  team.watchUnknown(context, background)
  background.run('texts', () => fileWork.run(() => writeLateTexts(context, stopping)))
}

/** From here on calls are answered, those of other processes too. */
async function answerCalls(run: EngineRun, { data, events, queue, intake, folders, own }: OpenedParts) {
  const emit = (event: EngineEvent) => events.emit(event)
  const chargers = createChargers({ ...run, ...data, emit })
  run.opened.push(() => chargers.book.close())
  followSettings(data, queue, chargers, emit)
  const setup = (await run.hooks?.({ documents: data.documents, emit })) ?? null
  const parts = { ...run, data, queue, folders: run.watch ? folders : null, events }
  const hooks = setup === null ? null : new EngineHooks(setup, parts)
  run.opened.push(() => hooks?.close())
  const progress = measureProgress({ ...run, ...data, ...queue, events })
  const calls = createCalls({ ...run, ...data, ...queue, intake, folders, chargers, own, emit, progress })
  run.opened.push(startUpkeep({ ...run, context: queue.context, events, writesTexts: run.scope !== 'none' }))
  // One that starts no work is a command's own, and gone before it could answer another's.
  if (run.scope !== 'none') run.opened.push(await serveCalls({ ...run, call: calls.call }))
  return { calls, chargers, hooks, progress }
}

/** Each part hears of the settings that it depends on. What a job or a timer reads when it comes to it needs no word. */
function followSettings(
  { settingsStore }: EngineData,
  { team, lanes, runner }: Queue,
  { book }: Chargers,
  emit: (event: EngineEvent) => void,
): void {
  settingsStore.subscribe('any', () => emit({ type: 'settings', settings: settingsStore.get() }))
  settingsStore.subscribe(['ledgerUrl', 'computerName'], () => team.refresh())
  const ofLanes = ['ledgerUrl', 'imageBaseUrl', 'requestsPerMinute', ...IMAGE_SERVICE_SETTINGS] as const
  settingsStore.subscribe(ofLanes, () => lanes.refresh())
  settingsStore.subscribe(['caps', 'resendUnknownOnce', 'paused'], () => runner.requestSweep())
  settingsStore.subscribe(['chargerBaseUrl', 'chargers'], () => book.sourceChanged())
}

async function startWork({ scope, watch, background }: EngineRun, parts: Parts): Promise<void> {
  const { data, queue, intake, folders, chargers } = parts
  if (scope === 'all') {
    intake.resume()
    // A resumed batch may be bound to a service that has no lane yet.
    if (servicesBoundTo(data.db).length > 0) await queue.lanes.refresh()
  }
  if (watch) {
    await folders.startAll()
    background.run('chargers_refresh', () => chargers.book.start())
  }
  if (scope !== 'none') queue.runner.start()
}

/** All at once, so that they share the grace period. */
async function endWork({ fileWork }: EngineRun, { folders, intake, queue }: Parts, graceMs: number): Promise<void> {
  const ending = [folders.stop(), intake.stop(), queue.runner.stop(graceMs), fileWork.ended()]
  for (const ended of await Promise.allSettled(ending)) if (ended.status === 'rejected') throw ended.reason
}

function portOf({ watch, stopping, background }: EngineRun, parts: Parts): Omit<Engine, 'stop'> {
  const { data, events, queue, intake, folders, calls, chargers, hooks, progress } = parts
  return {
    call: calls.call,
    perform: calls.perform,
    subscribe: (listener) => events.subscribe(listener),
    progress,
    snapshot: () => ({
      counts: queue.context.store.count(),
      needsReview: countToReview(data.db),
      removed: countRemoved(data.db),
      folders: watch ? folders.views() : [],
      away: intake.away(),
      confirmations: heldBatches(queue.context),
      service: queue.status(),
      settings: data.settings(),
      chargers: chargers.state(),
    }),
    resumed: () => {
      folders.resumed()
      chargers.book.resumed()
    },
    finishHooks: async () => hooks?.finish(),
    works: async () => {
      await queue.runner.passed()
      return !stopping.aborted && data.guard.broken === null && !background.stopped().some(isOfWholeQueue)
    },
    blocked: () => background.stopped().find(isOfWholeQueue) ?? null,
    vitals: () => ({ callsLeft: queue.lanes.active()?.slots.left ?? null, lastEventMs: lastEventMs(data.db) }),
    unreachable: () => queue.status()?.unreachable ?? null,
    broken: () => brokenOf(parts),
    untilBroken: (stop) => untilBroken(parts, stop),
  }
}

/** A bug that concerns one picture names it. */
function isOfWholeQueue({ task, subject }: StoppedTask): boolean {
  return (task === 'queue' || task === 'queue_work') && subject === null
}

function brokenOf({ data, queue }: Parts): AppError | null {
  const { broken } = data.guard
  if (broken?.code !== 'data_folder_gone') return broken
  const counts = queue.context.store.count()
  return countIn(counts, UNDER_WAY_STATES) === 0 ? broken : null
}

function untilBroken(parts: Parts, stop: AbortSignal): Promise<AppError | null> {
  return new Promise((resolve) => {
    const look = () => {
      const broken = brokenOf(parts)
      if (broken === null && !stop.aborted) return
      for (const end of ends) end()
      resolve(broken)
    }
    stop.addEventListener('abort', look)
    // The last picture under way may end later.
    const ends = [
      parts.data.guard.onBroken(look),
      parts.events.subscribe(look),
      () => stop.removeEventListener('abort', look),
    ]
    look()
  })
}

/** What brings pictures into the queue: runs, drops, and watched folders. */
function createIntake(
  { background, scope }: EngineRun,
  { documents, makeId }: EngineData,
  events: EngineEvents,
  { context, runner, serviceId }: Queue,
  own: () => OwnPlaces,
) {
  const common = { context, documents, makeId, serviceId, own }
  const intake = new RunIntake({
    ...common,
    keepsOpenBatches: scope === 'all',
    onBatch: (batch) => {
      events.emit({ type: 'batch', batch })
      if (!batch.open) runner.wake()
    },
    onAway: (batches) => events.emit({ type: 'away', batches }),
    onKnown: (batchId, path, { reason, job }) =>
      events.emit({ type: 'known', batchId, path, jobId: job?.id ?? null, reason }),
  })
  const folders = new Folders({
    ...common,
    background,
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
