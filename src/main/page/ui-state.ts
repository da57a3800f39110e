import type { AppInfo } from '../../shared/contract/app.ts'
import type { EngineEvent, EngineSnapshot } from '../../shared/contract/engine-port.ts'
import type { FolderView } from '../../shared/contract/folders.ts'
import type { AwayBatch, BatchView, Confirmation } from '../../shared/contract/intake.ts'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import type { Progress, UiState } from '../../shared/contract/stream.ts'
import type { StoppedTask } from '../../shared/runtime/background.ts'
import type { ChargersState } from '../../shared/chargers/charger-status.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { activeIn, needsPerson } from '../../shared/presentation/progress-figures.ts'
import type { PlaceRegistry } from './place-registry.ts'
import { ProgressMeter } from './progress.ts'
import { toFolderRow, toUiSettings } from './place-forms.ts'

/** What a tray, a dock badge or a taskbar shows. */
export interface HostStatus {
  paused: boolean
  progress: Progress
  counts: JobCounts
  /** How many things need a person: pictures that are held, failed or unknown, and a held service. */
  needsPerson: number
  /** Batches that wait for a drive. */
  away: number
}

interface WatchedFolder {
  view: FolderView
  lastEventAtMs: number | null
}

/**
 * The state that every page shows, updated event by event, without recounting for each job. What events do not report
 * (jobs that left the list without one) is corrected by `resync`. Times are monotonic milliseconds.
 */
export class StateKeeper {
  readonly #places: PlaceRegistry
  readonly #app: () => AppInfo
  readonly #meter: ProgressMeter
  readonly #folders = new Map<string, WatchedFolder>()
  #counts: JobCounts
  #needsReview: number
  #removed: number
  #service: ServiceStatus | null
  #settings: Settings
  #confirmations: Confirmation[] = []
  #away: AwayBatch[]
  /** How many of its files are still to be read, for each batch that is being taken in. */
  readonly #reading = new Map<string, number>()
  #chargers: ChargersState
  /** Start differently in each run, so that a page that comes back after a restart sees a change. */
  #versions: UiState['versions']

  constructor(start: EngineSnapshot, places: PlaceRegistry, app: () => AppInfo, atMs: number) {
    this.#places = places
    this.#app = app
    this.#meter = new ProgressMeter(start.counts, atMs)
    this.#counts = { ...start.counts }
    this.#needsReview = start.needsReview
    this.#removed = start.removed
    this.#service = start.service
    this.#settings = start.settings
    this.#chargers = start.chargers
    this.#away = start.away
    this.#versions = { recipes: Math.random(), keys: Math.random(), hooks: Math.random() }
    this.#setFolders(start.folders)
    this.#meter.goes(this.#goes(), atMs)
  }

  get settings(): Settings {
    return this.#settings
  }

  get service(): ServiceStatus | null {
    return this.#service
  }

  get counts(): JobCounts {
    return this.#counts
  }

  jobChanged({ job, from, toReview }: Extract<EngineEvent, { type: 'job' }>, atMs: number): void {
    const folder = job.folderId === null ? undefined : this.#folders.get(job.folderId)
    if (folder !== undefined) folder.lastEventAtMs = Math.max(folder.lastEventAtMs ?? 0, job.updatedAtMs)
    this.#needsReview = Math.max(0, this.#needsReview + toReview)
    this.#meter.changed(job, from, atMs)
    if (from === job.state) return
    move(this.#counts, from, job.state)
    if (folder !== undefined) move(folder.view.counts, from, job.state)
  }

  folderChanged(id: string, change: Pick<FolderView, 'state' | 'because' | 'leftOut'>): void {
    const folder = this.#folders.get(id)
    if (folder !== undefined) Object.assign(folder.view, change)
  }

  /** Takes the newest change of a folder's jobs from before this start. */
  folderSeen(id: string, atMs: number): void {
    const folder = this.#folders.get(id)
    if (folder !== undefined) folder.lastEventAtMs = Math.max(folder.lastEventAtMs ?? 0, atMs)
  }

  /** Folders whose last event is unknown. */
  foldersWithoutEvent(): string[] {
    return [...this.#folders].flatMap(([id, { lastEventAtMs }]) => (lastEventAtMs === null ? [id] : []))
  }

  serviceChanged(service: ServiceStatus, atMs: number): void {
    this.#service = service
    this.#meter.goes(this.#goes(), atMs)
  }

  settingsChanged(settings: Settings, atMs: number): void {
    this.#settings = settings
    this.#meter.goes(this.#goes(), atMs)
  }

  stored(what: keyof UiState['versions']): void {
    this.#versions = { ...this.#versions, [what]: this.#versions[what] + 1 }
  }

  chargersChanged({ status, favourites }: ChargersState): void {
    this.#chargers = { status, favourites }
  }

  batchChanged({ id, kind, open, found, takenIn, known }: BatchView): void {
    if (open && kind === 'run') this.#reading.set(id, Math.max(0, found - takenIn - known))
    else this.#reading.delete(id)
  }

  awayChanged(away: AwayBatch[]): void {
    this.#away = away
  }

  confirmationsChanged(confirmations: Confirmation[]): void {
    this.#confirmations = confirmations
  }

  /** Corrects everything; true when jobs had been added or removed without an event. */
  resync(now: EngineSnapshot, atMs: number): boolean {
    const drifted = (Object.keys(now.counts) as JobState[]).some((state) => now.counts[state] !== this.#counts[state])
    this.#counts = { ...now.counts }
    this.#needsReview = now.needsReview
    this.#removed = now.removed
    this.#service = now.service
    this.#settings = now.settings
    this.#chargers = now.chargers
    this.#away = now.away
    this.#setFolders(now.folders)
    this.#meter.corrected(now.counts)
    this.#meter.goes(this.#goes(), atMs)
    return drifted
  }

  state(atMs: number, stopped: StoppedTask[]): UiState {
    return {
      app: this.#app(),
      settings: toUiSettings(this.#places, this.#settings),
      counts: { ...this.#counts },
      needsReview: this.#needsReview,
      removed: this.#removed,
      service: this.#service,
      folders: [...this.#folders.values()].map(({ view, lastEventAtMs }) =>
        toFolderRow(this.#places, { ...view, counts: { ...view.counts } }, lastEventAtMs),
      ),
      progress: this.progress(atMs),
      reading: this.#reading.size === 0 ? null : [...this.#reading.values()].reduce((sum, left) => sum + left, 0),
      confirmations: this.#confirmations,
      away: this.#away,
      chargers: this.#chargers,
      versions: this.#versions,
      stopped,
    }
  }

  status(atMs: number): HostStatus {
    const isHeld = (this.#service?.hold ?? null) !== null && activeIn(this.#counts) > 0
    return {
      paused: this.#settings.paused,
      progress: this.progress(atMs),
      counts: { ...this.#counts },
      needsPerson: needsPerson(this.#counts) + (isHeld ? 1 : 0),
      away: this.#away.length,
    }
  }

  progress(atMs: number): Progress {
    return this.#meter.read({ atMs, requestsPerMinute: this.#settings.requestsPerMinute })
  }

  /** Whether the queue is able to send. */
  #goes(): boolean {
    const { paused } = this.#settings
    return !paused && (this.#service?.hold ?? null) === null && (this.#service?.unreachable ?? null) === null
  }

  #setFolders(views: readonly FolderView[]): void {
    const before = new Map(this.#folders)
    this.#folders.clear()
    for (const view of views)
      this.#folders.set(view.id, {
        view: { ...view, counts: { ...view.counts } },
        lastEventAtMs: before.get(view.id)?.lastEventAtMs ?? null,
      })
  }
}

function move(counts: JobCounts, from: JobState | null, to: JobState): void {
  if (from !== null) counts[from] = Math.max(0, counts[from] - 1)
  counts[to] += 1
}
