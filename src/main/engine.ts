import { randomBytes } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { z } from 'zod'
import { Background, guardTimers, type BackgroundTask } from '../shared/background.ts'
import {
  Folder,
  type EngineEvent,
  type EngineEventBody,
  type EnginePort,
  type EngineSnapshot,
  type ServiceStatus,
} from '../shared/contract.ts'
import { AppError } from '../shared/errors.ts'
import type { ChildPort, Clock, HttpPort, Logger, Random, SecretStore } from '../shared/ports.ts'
import type { Job } from '../shared/job.ts'
import type { JobState } from '../shared/reasons.ts'
import { NO_SERVICE, PRACTICE_SERVICE } from '../shared/recipe.ts'
import { Settings } from '../shared/settings.ts'
import { createCalls } from './calls/calls.ts'
import type { SampleSource } from './calls/call-deps.ts'
import { viewOf } from './calls/job-view.ts'
import { closeAll } from './close-all.ts'
import { BURST_LIMIT } from './core/spend-guard.ts'
import { createTurns } from './core/in-turn.ts'
import { createChargers } from './engine-chargers.ts'
import { createFiles } from './engine-files.ts'
import { Folders } from './folders.ts'
import { LaneSet, type PracticeAccess } from './lanes.ts'
import { servicesBoundTo } from './queue/batches.ts'
import type { QueueContext } from './queue/context.ts'
import { lockDataFolder, prepareDataFolder } from './queue/data-folder.ts'
import { Documents } from './queue/documents.ts'
import { DurationModels } from './queue/duration-models.ts'
import { latestBalance } from './queue/history.ts'
import { JobStore, type JobChange } from './queue/job-store.ts'
import { openJournal } from './queue/journal.ts'
import { takeOrders } from './queue/orders.ts'
import { keepStopped } from './queue/stopped-tasks.ts'
import { reuseIfPaid, wakeTwins } from './queue/prepare-ready.ts'
import { recover } from './queue/recovery.ts'
import { countRemoved } from './queue/removed-jobs.ts'
import { countToReview } from './queue/reviews.ts'
import { Runner } from './queue/runner.ts'
import { releaseDiskHolds } from './queue/sweep-holds.ts'
import { RunIntake } from './run-intake.ts'
import { ownPlaces } from './watch/own-places.ts'
import { folderFacts } from './watch/folder-state.ts'
import { keyFingerprint } from './secrets/fingerprint.ts'
import { sweepAfterCrash } from './sweep-after-crash.ts'

/** Orders of other processes are looked for this often. */
const ORDERS_MS = 1000
const RETENTION_MS = 3_600_000
const DAY_MS = 86_400_000
/** Jobs removed longer ago than jobs are kept are deleted, in batches of this size. */
const PURGE_MS = 500

export interface EngineDeps {
  dataDir: string
  /** The data folder whose content is Hangar's own, where this engine works on a copy of its journal. */
  ownDir?: string
  clock: Clock
  random: Random
  log: Logger
  /** Runs its background tasks; a shell that shows what has stopped passes its own. */
  background?: Background
  secrets: SecretStore
  http: HttpPort
  child: ChildPort
  /** The practice service that runs now: it serves where no address of an image or charger service is set. */
  practice: () => PracticeAccess | null
  /** Without it there are no sample pictures, and unfinished earlier ones wait. */
  samples?: SampleSource
  /** Given for this run only; wins over what is stored. */
  overrides: Partial<Settings>
  /** For all watched folders of this run, in place of what is stored with each. */
  askAbove?: number
  /**
   * `all`: everything ready is sent. `ordered`: only what this run's orders brought; what earlier runs had sent is
   * its results are still fetched. `none`: nothing is begun, for a caller that only asks, looks in, or gives orders.
   */
  scope: 'all' | 'ordered' | 'none'
  /** Watched folders are watched. */
  watch: boolean
}

export interface Engine extends EnginePort {
  /** The machine woke from sleep. */
  resumed(): void
  /** Stops intake, waits up to `graceMs` for answers to what was sent, journals, and lets the data folder go. */
  stop(graceMs: number): Promise<void>
  /** Work is under way that is bound to the practice service, whichever service is in use. */
  needsPractice(): boolean
  /** For how long (ms) the service in use has not answered; null while it does. */
  unreachableForMs(): number | null
}

/**
 * Composition only: wires the parts into one object that knows no shell. Throws `data_folder_in_use`,
 * `data_folder_unusable`, `journal_too_new`, or what is wrong with an address.
 */
export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const { random, log, http, secrets, practice } = deps
  const background = deps.background ?? new Background({ log, nowMs: () => deps.clock.nowMs() })
  const clock = guardTimers(deps.clock, background)
  await prepareDataFolder(deps.dataDir)
  const lock = lockDataFolder(deps.dataDir)
  const undo: (() => unknown)[] = [() => lock.release()]
  try {
    const db = openJournal(deps.dataDir)
    undo.push(() => db.close())
    const documents = new Documents(db, () => clock.nowMs())
    const ulid = monotonicFactory()
    const makeId = () => ulid(clock.nowMs())
    const settings = () => ({
      ...(documents.get('settings', 'all', Settings) ?? Settings.parse({})),
      ...deps.overrides,
    })

    const listeners = new Set<(event: EngineEvent) => void>()
    undo.push(keepStopped(background, documents, deps.scope !== 'none'))

    let seq = 0
    const tell = (event: EngineEventBody) => {
      seq += 1
      const numbered = { seq, ...event }
      for (const listener of listeners)
        try {
          listener(numbered)
        } catch (error) {
          // Who listens badly must not stop what has happened already.
          log.error('a listener failed', { error: String(error) })
        }
    }
    const stopping = new AbortController()
    let tellStatus = () => undefined as void
    // The change itself is in the journal: what follows from it is looked for again by the runner.
    const notNow = (error: unknown) => log.warn('waking other pictures failed', { error: String(error) })
    const follow = (job: Job, from: JobState | null) => {
      try {
        if (from !== null) wakeTwins(context, job)
        else if (deps.scope !== 'none') reuseIfPaid(context, job)
      } catch (error) {
        notNow(error)
      }
    }
    const onJob = ({ job, from, toReview }: JobChange) => {
      tell({ type: 'job', job: viewOf(db, job), from, toReview })
      runner.wake()
      if (job.state === from) return
      follow(job, from)
      if (job.state === 'done')
        releaseDiskHolds(context, { goOn: () => true, isBusy: (id) => runner.isBusy(id) }).catch(notNow)
    }
    const onGone = (jobs: number) => tell({ type: 'removed', jobs })
    const store = new JobStore(db, () => clock.nowMs(), onJob, onGone)
    const files = createFiles({ child: deps.child, clock })
    undo.push(() => files.close())
    const context: QueueContext = {
      db,
      store,
      files,
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
      intakeTurns: createTurns(),
      disk: { isFull: false },
    }
    const lanes = new LaneSet({
      ...{ db, documents, clock, random, log, http, secrets, settings, practice },
      fingerprint: (key) => keyFingerprint(saltOf(documents), key),
      makeId,
      onPracticeMissed: () => background.run('practice_start', startPractice),
      onChange: () => {
        tellStatus()
        runner.wake()
      },
      onHold: () => {
        tellStatus()
        runner.requestSweep()
      },
    })
    let starting: Promise<void> | null = null
    const startPractice = () =>
      (starting ??= (async () => {
        await deps.samples?.startPractice()
        if (practice() !== null && !stopping.signal.aborted) await lanes.refresh()
      })().finally(() => (starting = null)))
    const models = new DurationModels(documents)
    let ordered: string | null = null
    const runner: Runner = new Runner(context, {
      background,
      lanes: () => lanes.all(),
      activeService: () => lanes.activeId,
      modelOf: (service) => models.of(service),
      saveModel: (service) => models.save(service),
      scope: () => (deps.scope === 'all' ? {} : { batchId: ordered ?? 'nothing was ordered yet' }),
    })
    const serviceId = () => lanes.activeId ?? NO_SERVICE
    const own = () => ownPlaces(deps.ownDir ?? deps.dataDir, settings().inboxDir)
    const intake = new RunIntake({
      context,
      documents,
      keepsOrders: deps.scope === 'all',
      makeId,
      serviceId,
      own,
      onBatch: (batch) => {
        tell({ type: 'batch', batch })
        if (!batch.open) runner.wake()
      },
      onAway: (batches) => tell({ type: 'away', batches }),
      onKnown: (batchId, path, { reason, job }) =>
        tell({ type: 'known', batchId, path, jobId: job?.id ?? null, reason }),
    })
    const folders = new Folders({
      context,
      background,
      documents,
      makeId,
      serviceId,
      own,
      onState: (id, state) => tell({ type: 'folder', id, ...folderFacts(state) }),
      onChange: () => {
        tell({ type: 'folders' })
        // What waits for a person may be covered by what is set now.
        runner.requestSweep()
      },
      onBurstEnd: () => runner.wake(),
    })

    const status = (): ServiceStatus | null => {
      const lane = lanes.active()
      if (lane === null) return null
      return {
        serviceId: lane.serviceId,
        baseUrl: lanes.baseUrlOf(lane.serviceId),
        practice: lane.serviceId === PRACTICE_SERVICE,
        hasKey: lane.service !== null,
        hold: lane.hold,
        unreachable:
          lane.closed === null ? null : { code: lane.closed.reason, forMs: clock.monotonicMs() - lane.closed.sinceMs },
        balance: latestBalance(db, lane.serviceId),
        requests: lane.requests,
      }
    }
    let lastStatus = ''
    tellStatus = () => {
      const now = status()
      const key = JSON.stringify([now?.hold, now?.unreachable?.code, now?.balance?.credits, now?.hasKey])
      if (now === null || key === lastStatus) return
      lastStatus = key
      tell({ type: 'service', status: now })
    }

    if (deps.scope !== 'none') await sweepAfterCrash(context, files)
    const recovered = deps.scope === 'none' ? { inDoubt: 0, resumed: 0 } : recover(context)
    if (recovered.inDoubt + recovered.resumed > 0) log.info('going on after a restart', recovered)
    await lanes.refresh()
    const chargers = createChargers({ ...deps, clock, background, documents, settings, tell })
    undo.push(() => chargers.book.close())
    const calls = createCalls({
      ...{ context, documents, lanes, runner, intake, folders, chargers, status, makeId, http, secrets, practice },
      ...{ samples: deps.samples ?? null, dataDir: deps.dataDir, own },
      fingerprint: (key) => keyFingerprint(saltOf(documents), key),
      onOrdered: (batchId) => (ordered = batchId),
      stopping: stopping.signal,
      tell,
    })

    const cancels = new Map<string, () => void>()
    const every = (task: BackgroundTask, ms: number, work: () => unknown) => {
      const again = () => {
        cancels.set(task, clock.setTimer(ms, again))
        background.run(task, work)
      }
      cancels.set(task, clock.setTimer(ms, again))
    }
    every('commands', ORDERS_MS, () => {
      for (const order of takeOrders(db, clock.nowMs()))
        background.run('command', () => calls.carryOut(order), order.kind)
    })
    undo.push(() => {
      for (const cancel of cancels.values()) cancel()
    })
    const retain = () => {
      const removed = store.clear(['done', 'skipped', 'cancelled'], clock.nowMs() - settings().retentionDays * DAY_MS)
      if (removed > 0) tell({ type: 'removed', jobs: removed })
    }
    background.run('retention', retain)
    every('retention', RETENTION_MS, retain)
    every('removed_jobs', PURGE_MS, () => store.purge(clock.nowMs() - settings().retentionDays * DAY_MS))

    if (deps.scope === 'all') {
      intake.resume()
      // What is gone on with may be bound to a service that had nothing to do until now.
      if (servicesBoundTo(db).length > 0) await lanes.refresh()
    }
    if (deps.watch) {
      await folders.startAll()
      background.run('chargers_refresh', () => chargers.book.start())
    }
    if (deps.scope !== 'none') runner.start()
    // In parallel, so that none uses up the time of another.
    const endWork = async (graceMs: number) => {
      for (const ended of await Promise.allSettled([folders.stop(), intake.stop(), runner.stop(graceMs)]))
        if (ended.status === 'rejected') throw ended.reason
    }
    return {
      call: (channel, request) => calls.call(channel, request),
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      snapshot: (): EngineSnapshot => ({
        seq,
        counts: store.count(),
        needsReview: countToReview(db),
        removed: countRemoved(db),
        folders: deps.watch ? folders.views() : [],
        away: intake.away(),
        service: status(),
        settings: settings(),
        chargers: chargers.state(),
      }),
      resumed: () => {
        folders.resumed()
        chargers.book.resumed()
      },
      needsPractice: () => !stopping.signal.aborted && servicesBoundTo(db).includes(PRACTICE_SERVICE),
      unreachableForMs: () => status()?.unreachable?.forMs ?? null,
      stop: async (graceMs) => {
        // A call on a person's behalf fails with the reason instead of waiting.
        stopping.abort(new AppError('aborted', 'Hangar is stopping.'))
        await closeAll([...undo.splice(0), () => endWork(graceMs)])
      },
    }
  } catch (error) {
    await closeAll(undo)
    throw error
  }
}

function saltOf(documents: Documents): string {
  const known = documents.get('salt', 'fingerprint', z.string().min(16))
  if (known !== null) return known
  const salt = randomBytes(16).toString('hex')
  documents.put('salt', 'fingerprint', salt)
  return salt
}
