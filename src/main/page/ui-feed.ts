import { watchedRoutes } from '../../shared/chargers/route/saved-routes.ts'
import type { Background } from '../../shared/runtime/background.ts'
import type { AppInfo } from '../../shared/contract/app.ts'
import type { EngineEvent, EnginePort, EngineSnapshot } from '../../shared/contract/engine-port.ts'
import type { Place } from '../../shared/contract/places.ts'
import type { Notice, UiMessage, UiState } from '../../shared/contract/stream.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { EventStream, JobChanges, type UiConnection } from './event-stream.ts'
import { NoticeBoard, type DecidedNotice } from './notices.ts'
import type { PlaceRegistry } from './place-registry.ts'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import type { Progress } from '../../shared/contract/queue.ts'
import { activeIn, needsPerson } from '../../shared/presentation/progress-figures.ts'
import { toFolderRow, toUiSettings } from './place-forms.ts'

/** At most ten messages a second. */
const TICK_MS = 100
/** A read that took a while is not repeated for this many times as long. */
const REST_TIMES = 20
/** What could not be read is tried again after this. */
const AGAIN_MS = 1000
/** The newest change of these is when the folder was last active. */
const NEWEST_JOBS = 50

interface UiFeedDeps {
  engine: Pick<EnginePort, 'perform' | 'subscribe' | 'snapshot' | 'progress'>
  clock: Clock
  places: PlaceRegistry
  app: () => AppInfo
  background: Background
  /** Words a notice, and shows it outside the page if the settings want that. Called once for each. */
  tell: (notice: DecidedNotice, settings: Settings) => Notice
  onSettings: (settings: Settings) => void
}

/** What pages and trays show, computed once for all connections, at most ten times a second and only while something changes. */
export class UiFeed {
  readonly #deps: UiFeedDeps
  readonly #board = new NoticeBoard()
  readonly #changes = new JobChanges()
  readonly #streams = new Set<EventStream>()
  readonly #statusListeners = new Set<(status: HostStatus) => void>()
  readonly #unsubscribe: () => void
  readonly #sent = new SentState()
  /** Files still to be read, by batch that is being taken in. */
  readonly #reading = new Map<string, number>()
  /** By folder. */
  readonly #eventsAtMs = new Map<string, number | null>()
  /** Random, so that a page that comes back after a restart sees a change. */
  #versions: UiState['versions'] = { recipes: Math.random(), keys: Math.random(), hooks: Math.random() }
  #engine: EngineSnapshot
  #offers: Notice[] = []
  #nextOffer = 1
  #timer: { atMs: number; cancel: () => void } | null = null
  #nextTickMs = -Infinity
  #nextReadMs = -Infinity
  #isDirty = false
  /** The state has to be read before that. */
  #isStale = false
  /** Why it cannot be read now. */
  #problem: Error | null = null
  #sentStatus = ''
  #isClosed = false

  constructor(deps: UiFeedDeps) {
    this.#deps = deps
    const { engine, background } = deps
    const stops = [engine.subscribe((event) => this.#hear(event)), background.onChange(() => this.recheck())]
    this.#unsubscribe = () => stops.forEach((stop) => stop())
    this.#engine = this.#read()
    this.#sent.remember(this.#shown())
    this.recheck()
  }

  get settings(): Settings {
    return this.#engine.settings
  }

  status(): HostStatus {
    this.#refresh()
    return hostStatus(this.#engine, this.#deps.engine.progress())
  }

  onStatus(listener: (status: HostStatus) => void): () => void {
    this.#statusListeners.add(listener)
    return () => this.#statusListeners.delete(listener)
  }

  connect(send: (message: UiMessage) => void): UiConnection {
    const stream = new EventStream(send, () => this.#freshState())
    this.#streams.add(stream)
    if (this.#offers.length > 0) this.recheck()
    return {
      acknowledge: (seq) => stream.acknowledge(seq),
      close: () => {
        stream.close()
        this.#streams.delete(stream)
      },
    }
  }

  /** For a snapshot. Pending changes are sent to all others first, so that the next delta is the same for every page. */
  #freshState(): UiState {
    this.#refresh()
    this.#notify()
    const state = this.#shown()
    this.#sent.remember(state)
    return state
  }

  offer(places: readonly Place[], missing: readonly string[]): void {
    if (places.length + missing.length === 0) return
    this.#offers.push({ id: `offer-${this.#nextOffer++}`, kind: 'offer', places: [...places], missing: [...missing] })
    this.recheck()
  }

  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    this.#timer?.cancel()
    for (const stream of this.#streams) stream.close()
    this.#streams.clear()
    this.#statusListeners.clear()
  }

  #read(): EngineSnapshot {
    const { engine, clock, background } = this.#deps
    const now = engine.snapshot()
    const nowMs = clock.monotonicMs()
    this.#board.service(now.service, now.counts, nowMs)
    this.#board.confirmations(now.confirmations, nowMs)
    for (const { id } of now.folders) {
      if (this.#eventsAtMs.has(id)) continue
      this.#eventsAtMs.set(id, null)
      background.run('page_updates', () => this.#askFolderEvents(id))
    }
    return now
  }

  /** Keeps the last state if the journal cannot be read. */
  #refresh(): void {
    const startMs = this.#deps.clock.monotonicMs()
    try {
      this.#engine = this.#read()
      this.#isStale = false
      this.#isDirty = true
      this.#problem = null
      this.#nextReadMs = startMs + REST_TIMES * (this.#deps.clock.monotonicMs() - startMs)
    } catch (error) {
      this.#nextReadMs = startMs + AGAIN_MS
      this.#problem = error instanceof Error ? error : new Error(String(error))
    }
  }

  #shown(): UiState {
    const { places, engine, app, background } = this.#deps
    return uiState(places, this.#engine, {
      app: app(),
      progress: engine.progress(),
      reading: this.#reading,
      versions: this.#versions,
      stopped: background.stopped(),
      eventsAtMs: this.#eventsAtMs,
    })
  }

  #hear(event: EngineEvent): void {
    if (this.#isClosed) return
    const nowMs = this.#deps.clock.monotonicMs()
    switch (event.type) {
      case 'job':
        this.#hearJob(event, nowMs)
        break
      case 'batch': {
        const { id, kind, open, found, takenIn, known } = event.batch
        if (open && kind === 'run') this.#reading.set(id, Math.max(0, found - takenIn - known))
        else this.#reading.delete(id)
        this.#board.batch(event.batch, nowMs)
        break
      }
      case 'settings':
        this.#engine = { ...this.#engine, settings: event.settings }
        this.#deps.onSettings(event.settings)
        break
      case 'stored':
        this.#versions = { ...this.#versions, [event.what]: this.#versions[event.what] + 1 }
        break
      case 'hook_failed':
        this.#board.hookFailed(event.hook)
        break
      case 'removed':
        this.#changes.lost()
        break
      case 'chargers':
        this.#board.chargers(event, this.settings.chargers.notifyFavourites, watchedRoutes(this.settings))
        break
      case 'known':
        return
      default:
    }
    this.recheck()
  }

  #hearJob({ job, from, left }: Extract<EngineEvent, { type: 'job' }>, nowMs: number): void {
    if (job.folderId !== null) this.#folderSeen(job.folderId, job.updatedAtMs)
    this.#board.job(job, from, nowMs, left)
    if (this.#streams.size > 0) this.#changes.changed(job, from === null)
  }

  #folderSeen(id: string, atMs: number): void {
    this.#eventsAtMs.set(id, Math.max(this.#eventsAtMs.get(id) ?? 0, atMs))
  }

  /** To be called when the state may have changed without an event, too. */
  recheck(): void {
    this.#isDirty = true
    this.#isStale = true
    this.#schedule(-Infinity)
  }

  #schedule(wantedMs: number): void {
    const atMs = Math.max(wantedMs, this.#nextTickMs)
    if (this.#isClosed || (this.#timer !== null && this.#timer.atMs <= atMs)) return
    this.#timer?.cancel()
    const { clock, background } = this.#deps
    const cancel = clock.setTimer(Math.max(0, atMs - clock.monotonicMs()), () => {
      this.#timer = null
      background.run('page_updates', () => this.#tick())
    })
    this.#timer = { atMs, cancel }
  }

  #tick(): void {
    const { clock, background } = this.#deps
    const startMs = clock.monotonicMs()
    this.#nextTickMs = startMs + TICK_MS
    if (this.#isStale && startMs >= this.#nextReadMs) this.#refresh()
    for (const batchId of this.#board.batchesToCount(startMs))
      background.run('page_updates', () => this.#count(batchId))
    this.#notify()
    // Later notices need a timer.
    const boardMs = this.#board.nextAtMs()
    if (boardMs !== null) this.#schedule(boardMs)
    if (this.#isStale) this.#schedule(this.#nextReadMs)
    if (this.#problem !== null) throw this.#problem
  }

  /** Sends one delta to every page, if anything changed. */
  #notify(): void {
    const decided = this.#board
      .take(this.#deps.clock.monotonicMs())
      .map((notice) => this.#deps.tell(notice, this.settings))
    if (!this.#isDirty && decided.length === 0) return
    this.#isDirty = false
    this.#sendStatus()
    for (const stream of this.#streams) if (stream.isClosed) this.#streams.delete(stream)
    if (this.#streams.size === 0) {
      this.#changes.take()
      return
    }
    const state = this.#sent.changedIn(this.#shown())
    const notices = [...decided, ...this.#offers.splice(0)]
    if (this.#changes.isEmpty && Object.keys(state).length === 0 && notices.length === 0) return
    const delta = { state, ...this.#changes.take(), notices }
    for (const stream of this.#streams) stream.push(delta)
  }

  #sendStatus(): void {
    if (this.#statusListeners.size === 0) return
    const status = hostStatus(this.#engine, this.#deps.engine.progress())
    const text = JSON.stringify([status, this.settings.appearance.language])
    if (text === this.#sentStatus) return
    this.#sentStatus = text
    for (const listener of this.#statusListeners) listener(status)
  }

  async #count(batchId: string): Promise<void> {
    const answer = await this.#deps.engine.perform('jobs.counts', { batchId })
    if (this.#isClosed) return
    if (answer.ok) this.#board.counted(batchId, answer.value.counts)
    else this.#board.notCounted(batchId, this.#deps.clock.monotonicMs())
    this.recheck()
  }

  async #askFolderEvents(folderId: string): Promise<void> {
    const answer = await this.#deps.engine.perform('jobs.list', { folderId, newestFirst: true, limit: NEWEST_JOBS })
    if (!answer.ok) this.#eventsAtMs.delete(folderId)
    if (this.#isClosed || !answer.ok || answer.value.jobs.length === 0) return
    this.#folderSeen(folderId, Math.max(...answer.value.jobs.map(({ updatedAtMs }) => updatedAtMs)))
    this.recheck()
  }
}

/** What was last sent, so that only changed parts are sent again. */
class SentState {
  #sent: { [Name in keyof UiState]?: string } = {}

  remember(state: UiState): void {
    this.#sent = Object.fromEntries(Object.entries(state).map(([name, part]) => [name, JSON.stringify(part)]))
  }

  changedIn(state: UiState): Partial<UiState> {
    const before = this.#sent
    this.remember(state)
    const names = Object.keys(state) as (keyof UiState)[]
    return Object.fromEntries(
      names.filter((name) => before[name] !== this.#sent[name]).map((name) => [name, state[name]]),
    )
  }
}

/** What a tray, a dock badge or a taskbar shows. */
export interface HostStatus {
  paused: boolean
  progress: Progress
  counts: JobCounts
  /** Pictures that are held, failed or unknown, and a held service. */
  needsPerson: number
  /** Batches that wait for a drive. */
  away: number
}

/** What a page is shown besides the engine's snapshot. */
interface Beside extends Pick<UiState, 'app' | 'progress' | 'versions' | 'stopped'> {
  reading: ReadonlyMap<string, number>
  /** By folder. */
  eventsAtMs: ReadonlyMap<string, number | null>
}

/** The state that every page shows. */
export function uiState(places: PlaceRegistry, engine: EngineSnapshot, beside: Beside): UiState {
  const { settings, folders, ...shown } = engine
  const { reading, eventsAtMs, ...also } = beside
  return {
    ...shown,
    ...also,
    settings: toUiSettings(places, settings),
    folders: folders.map((folder) => toFolderRow(places, folder, eventsAtMs.get(folder.id) ?? null)),
    reading: reading.size === 0 ? null : [...reading.values()].reduce((sum, left) => sum + left, 0),
  }
}

function hostStatus({ settings, counts, service, away }: EngineSnapshot, progress: Progress): HostStatus {
  const isHeld = (service?.hold ?? null) !== null && activeIn(counts) > 0
  return {
    paused: settings.paused,
    progress,
    counts,
    needsPerson: needsPerson(counts) + (isHeld ? 1 : 0),
    away: away.length,
  }
}
