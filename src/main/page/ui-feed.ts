import { watchedRoutes } from '../../shared/chargers/route/saved-routes.ts'
import type { Background } from '../../shared/runtime/background.ts'
import type { AppInfo } from '../../shared/contract/app.ts'
import type { EngineEvent, EnginePort } from '../../shared/contract/engine-port.ts'
import type { Place } from '../../shared/contract/places.ts'
import type { Notice, UiMessage, UiState } from '../../shared/contract/stream.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { EventStream, type UiConnection } from './event-stream.ts'
import { JobChanges } from './job-changes.ts'
import { NoticeBoard, type DecidedNotice } from './notices.ts'
import type { PlaceRegistry } from './place-registry.ts'
import { StateKeeper, type HostStatus } from './ui-state.ts'

/** At most ten messages a second. */
const TICK_MS = 100
/**
 * How often jobs are counted in the journal: while things change, and soon after something that events do not fully
 * describe.
 */
const RESYNC_MS = 5000
const RESYNC_SOON_MS = 1000
/**
 * What waits for consent is asked for again after this many times what the last answer took, within these bounds: each time it is counted.
 */
const CONFIRMATIONS = { times: 20, leastMs: TICK_MS, mostMs: 1000 }
/** How many of a folder's newest jobs are read: their newest change is when the folder was last active. */
const NEWEST_JOBS = 50

interface UiFeedDeps {
  engine: Pick<EnginePort, 'perform' | 'subscribe' | 'snapshot'>
  clock: Clock
  places: PlaceRegistry
  app: () => AppInfo
  log: Logger
  background: Background
  /** For notifications outside the page: each is reported at most once, with the current settings. */
  onNotice: (notice: DecidedNotice, settings: Settings) => void
  onSettings: (settings: Settings) => void
}

/**
 * Turns the engine's events into what pages and trays show. One computation serves all connections; it runs at most ten
 * times a second, and only while something changes.
 */
export class UiFeed {
  readonly #deps: UiFeedDeps
  readonly #keeper: StateKeeper
  readonly #board = new NoticeBoard()
  readonly #changes = new JobChanges()
  readonly #streams = new Set<EventStream>()
  readonly #statusListeners = new Set<(status: HostStatus) => void>()
  readonly #unsubscribe: () => void
  #offers: Notice[] = []
  #nextOffer = 1
  #timer: { atMs: number; cancel: () => void } | null = null
  #lastTickMs = -Infinity
  #isDirty = false
  readonly #sent = new SentState()
  #sentStatus = ''
  #resync: { lastMs: number; wanted: 'no' | 'some time' | 'soon' }
  #confirmations = { nextMs: -Infinity, isWanted: true, isAsking: false }
  #isClosed = false

  constructor(deps: UiFeedDeps) {
    this.#deps = deps
    const { engine, clock, places, app } = deps
    const nowMs = clock.monotonicMs()
    const stops = [engine.subscribe((event) => this.#hear(event)), deps.background.onChange(() => this.#touch())]
    this.#unsubscribe = () => stops.forEach((stop) => stop())
    this.#keeper = new StateKeeper(engine.snapshot(), places, app, nowMs)
    this.#resync = { lastMs: nowMs, wanted: 'no' }
    this.#board.service(this.#keeper.service, this.#keeper.counts, nowMs)
    this.#sent.remember(this.state())
    this.#deps.background.run('page_updates', () => this.#askFolderEvents())
    this.#touch()
  }

  get settings(): Settings {
    return this.#keeper.settings
  }

  state(): UiState {
    return this.#keeper.state(this.#deps.clock.monotonicMs(), this.#deps.background.stopped())
  }

  status(): HostStatus {
    return this.#keeper.status(this.#deps.clock.monotonicMs())
  }

  onStatus(listener: (status: HostStatus) => void): () => void {
    this.#statusListeners.add(listener)
    return () => this.#statusListeners.delete(listener)
  }

  connect(send: (message: UiMessage) => void): UiConnection {
    const stream = new EventStream(send, () => this.#freshState())
    this.#streams.add(stream)
    if (this.#offers.length > 0) this.#touch()
    return {
      acknowledge: (seq) => stream.acknowledge(seq),
      close: () => {
        stream.close()
        this.#streams.delete(stream)
      },
    }
  }

  /**
   * The state for a snapshot. Pending changes are sent to all others first, so that the next delta is the same for
   * every page.
   */
  #freshState(): UiState {
    this.#notify()
    const state = this.state()
    this.#sent.remember(state)
    return state
  }

  offer(places: readonly Place[], missing: readonly string[]): void {
    if (places.length + missing.length === 0) return
    this.#offers.push({ id: `offer-${this.#nextOffer++}`, kind: 'offer', places: [...places], missing: [...missing] })
    this.#touch()
  }

  /** To be called when the engine's state may have changed without an event. */
  recheck(): void {
    this.#wantResync('soon')
    this.#touch()
  }

  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    this.#timer?.cancel()
    for (const stream of this.#streams) stream.close()
    this.#streams.clear()
    this.#statusListeners.clear()
  }

  #hear(event: EngineEvent): void {
    if (this.#isClosed) return
    const nowMs = this.#deps.clock.monotonicMs()
    switch (event.type) {
      case 'job':
        this.#hearJob(event, nowMs)
        break
      case 'batch':
        this.#keeper.batchChanged(event.batch)
        this.#board.batch(event.batch, nowMs)
        this.#confirmations.isWanted = true
        break
      case 'away':
        this.#keeper.awayChanged(event.batches)
        break
      case 'folder':
        this.#keeper.folderChanged(event.id, event)
        break
      case 'service':
        this.#keeper.serviceChanged(event.status, nowMs)
        break
      case 'settings':
        this.#keeper.settingsChanged(event.settings, nowMs)
        this.#deps.onSettings(event.settings)
        this.#confirmations.isWanted = true
        // A changed address means another service.
        this.#wantResync('soon')
        break
      case 'stored':
        this.#keeper.stored(event.what)
        break
      case 'hook_failed':
        this.#board.hookFailed(event.hook)
        break
      case 'folders':
        this.#wantResync('soon')
        break
      case 'removed':
        this.#changes.lost()
        this.#wantResync('soon')
        break
      case 'chargers':
        this.#keeper.chargersChanged(event)
        this.#board.chargers(
          event,
          this.#keeper.settings.chargers.notifyFavourites,
          watchedRoutes(this.#keeper.settings),
        )
        break
      case 'known':
        return
    }
    this.#board.service(this.#keeper.service, this.#keeper.counts, nowMs)
    this.#touch()
  }

  #hearJob(event: Extract<EngineEvent, { type: 'job' }>, nowMs: number): void {
    const { job, from, left } = event
    this.#keeper.jobChanged(event, nowMs)
    this.#board.job(job, from, nowMs, left)
    if (this.#streams.size > 0) this.#changes.changed(job, from === null)
    if (job.state === 'held' || from === 'held') this.#confirmations.isWanted = true
    this.#wantResync('some time')
  }

  #wantResync(when: 'some time' | 'soon'): void {
    if (this.#resync.wanted !== 'soon') this.#resync.wanted = when
  }

  /** Something is to be sent: within one tick. */
  #touch(): void {
    this.#isDirty = true
    this.#schedule(this.#lastTickMs + TICK_MS)
  }

  #schedule(wantedMs: number): void {
    if (this.#isClosed || (this.#timer !== null && this.#timer.atMs <= wantedMs)) return
    this.#timer?.cancel()
    const { clock } = this.#deps
    const delayMs = Math.max(0, wantedMs - clock.monotonicMs())
    const cancel = clock.setTimer(delayMs, () => {
      this.#timer = null
      this.#deps.background.run('page_updates', () => {
        try {
          this.#tick()
        } catch (error) {
          this.#schedule(clock.monotonicMs() + RESYNC_SOON_MS)
          throw error
        }
      })
    })
    this.#timer = { atMs: wantedMs, cancel }
  }

  #tick(): void {
    const nowMs = this.#deps.clock.monotonicMs()
    this.#lastTickMs = nowMs
    this.#resyncIfDue(nowMs)
    this.#askConfirmationsIfDue(nowMs)
    for (const batchId of this.#board.batchesToCount(nowMs))
      this.#deps.background.run('page_updates', () => this.#count(batchId))
    this.#notify()
    // Later work needs its own timer; without any, no timer runs.
    const later = [this.#board.nextAtMs(), this.#resyncDueMs(), this.#confirmationsDueMs()].filter((ms) => ms !== null)
    if (later.length > 0) this.#schedule(Math.max(nowMs + TICK_MS, Math.min(...later)))
  }

  /** Sends one delta to every page, if anything changed. */
  #notify(): void {
    const nowMs = this.#deps.clock.monotonicMs()
    const decided = this.#board.take(nowMs)
    for (const notice of decided) this.#deps.onNotice(notice, this.#keeper.settings)
    if (!this.#isDirty && decided.length === 0) return
    this.#isDirty = false
    this.#sendStatus()
    for (const stream of this.#streams) if (stream.isClosed) this.#streams.delete(stream)
    if (this.#streams.size === 0) {
      this.#changes.take()
      return
    }
    const state = this.#sent.changedIn(this.state())
    const notices = [...decided, ...this.#offers.splice(0)]
    if (this.#changes.isEmpty && Object.keys(state).length === 0 && notices.length === 0) return
    const delta = { state, ...this.#changes.take(), notices }
    for (const stream of this.#streams) stream.push(delta)
  }

  #sendStatus(): void {
    if (this.#statusListeners.size === 0) return
    const status = this.status()
    const text = JSON.stringify([status, this.#keeper.settings.appearance.language])
    if (text === this.#sentStatus) return
    this.#sentStatus = text
    for (const listener of this.#statusListeners) listener(status)
  }

  #resyncDueMs(): number | null {
    const { wanted, lastMs } = this.#resync
    return wanted === 'no' ? null : lastMs + (wanted === 'soon' ? RESYNC_SOON_MS : RESYNC_MS)
  }

  #resyncIfDue(nowMs: number): void {
    const dueMs = this.#resyncDueMs()
    if (dueMs === null || nowMs < dueMs) return
    this.#resync = { lastMs: nowMs, wanted: 'no' }
    if (this.#keeper.resync(this.#deps.engine.snapshot(), nowMs)) this.#changes.lost()
    this.#isDirty = true
    this.#deps.background.run('page_updates', () => this.#askFolderEvents())
  }

  #confirmationsDueMs(): number | null {
    const { isWanted, isAsking, nextMs } = this.#confirmations
    return isWanted && !isAsking ? nextMs : null
  }

  #askConfirmationsIfDue(nowMs: number): void {
    const dueMs = this.#confirmationsDueMs()
    if (dueMs === null || nowMs < dueMs) return
    this.#confirmations = { ...this.#confirmations, isWanted: false, isAsking: true }
    this.#deps.background.run('page_updates', () => this.#askConfirmations(nowMs))
  }

  async #askConfirmations(askedMs: number): Promise<void> {
    const answer = await this.#deps.engine.perform('batches.waiting', {})
    const tookMs = this.#deps.clock.monotonicMs() - askedMs
    const restMs = Math.min(CONFIRMATIONS.mostMs, Math.max(CONFIRMATIONS.leastMs, CONFIRMATIONS.times * tookMs))
    this.#confirmations = { ...this.#confirmations, isAsking: false, nextMs: askedMs + tookMs + restMs }
    if (this.#isClosed) return
    if (answer.ok) {
      this.#keeper.confirmationsChanged(answer.value.confirmations)
      this.#board.confirmations(answer.value.confirmations, this.#deps.clock.monotonicMs())
    } else this.#deps.log.warn('what waits for consent could not be read', { code: answer.error.code })
    this.#touch()
  }

  async #count(batchId: string): Promise<void> {
    const answer = await this.#deps.engine.perform('jobs.counts', { batchId })
    if (this.#isClosed) return
    if (answer.ok) this.#board.counted(batchId, answer.value.counts)
    else this.#board.notCounted(batchId, this.#deps.clock.monotonicMs())
    this.#touch()
  }

  async #askFolderEvents(): Promise<void> {
    for (const folderId of this.#keeper.foldersWithoutEvent()) {
      const answer = await this.#deps.engine.perform('jobs.list', { folderId, newestFirst: true, limit: NEWEST_JOBS })
      if (this.#isClosed || !answer.ok || answer.value.jobs.length === 0) continue
      this.#keeper.folderSeen(folderId, Math.max(...answer.value.jobs.map(({ updatedAtMs }) => updatedAtMs)))
      this.#touch()
    }
  }
}

/** The state as last sent to every page, so that only changed parts are sent again. */
class SentState {
  #sent: { [Name in keyof UiState]?: string } = {}

  remember(state: UiState): void {
    this.#sent = Object.fromEntries(Object.entries(state).map(([name, part]) => [name, JSON.stringify(part)]))
  }

  /** Returns the parts that changed since they were last sent, and records them as sent. */
  changedIn(state: UiState): Partial<UiState> {
    const before = this.#sent
    this.remember(state)
    const names = Object.keys(state) as (keyof UiState)[]
    return Object.fromEntries(
      names.filter((name) => before[name] !== this.#sent[name]).map((name) => [name, state[name]]),
    )
  }
}
