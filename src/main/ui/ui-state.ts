import type {
  AwayBatch,
  Confirmation,
  EngineEvent,
  EngineSnapshot,
  FolderView,
  JobCounts,
  ServiceStatus,
} from '../../shared/contract.ts'
import type { StoppedTask } from '../../shared/background.ts'
import type { ChargersState } from '../../shared/charger-status.ts'
import type { JobState } from '../../shared/reasons.ts'
import type { Settings } from '../../shared/settings.ts'
import type { AppInfo, Progress, UiState } from '../../shared/ui-contract.ts'
import { needsPerson } from '../../shared/progress-facts.ts'
import type { PlaceRegistry } from './place-registry.ts'
import { activeIn, ProgressMeter } from './progress.ts'
import { toFolderRow, toUiSettings } from './recipe-tokens.ts'

/** What a tray, a dock badge or a taskbar shows. */
export interface HostStatus {
  paused: boolean
  progress: Progress
  counts: JobCounts
  /** How many things wait for a person: pictures that are held, failed or unknown, and a service that is held. */
  needsPerson: number
}

interface WatchedFolder {
  view: FolderView
  lastEventAtMs: number | null
}

/**
 * The state that every page shows, kept right event by event: nothing is counted because one job changed. What events do
 * not tell (jobs that left the list without an event) is put right by `resync`. Times are monotonic milliseconds.
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
  #chargers: ChargersState

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
    this.#setFolders(start.folders)
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
    if (from === job.state) return
    move(this.#counts, from, job.state)
    if (folder !== undefined) move(folder.view.counts, from, job.state)
    this.#meter.changed(job, from, atMs)
  }

  folderChanged(id: string, change: Pick<FolderView, 'state' | 'because' | 'leftOut'>): void {
    const folder = this.#folders.get(id)
    if (folder !== undefined) Object.assign(folder.view, change)
  }

  /** The newest change of a folder's jobs, from before this start. */
  folderSeen(id: string, atMs: number): void {
    const folder = this.#folders.get(id)
    if (folder !== undefined) folder.lastEventAtMs = Math.max(folder.lastEventAtMs ?? 0, atMs)
  }

  /** Folders whose last event is not known. */
  foldersWithoutEvent(): string[] {
    return [...this.#folders].flatMap(([id, { lastEventAtMs }]) => (lastEventAtMs === null ? [id] : []))
  }

  serviceChanged(service: ServiceStatus): void {
    this.#service = service
  }

  settingsChanged(settings: Settings): void {
    this.#settings = settings
  }

  chargersChanged({ status, favourites }: ChargersState): void {
    this.#chargers = { status, favourites }
  }

  awayChanged(away: AwayBatch[]): void {
    this.#away = away
  }

  confirmationsChanged(confirmations: Confirmation[]): void {
    this.#confirmations = confirmations
  }

  /** Puts everything right; true when jobs had come or gone of which no event told. */
  resync(now: EngineSnapshot): boolean {
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
      confirmations: this.#confirmations,
      away: this.#away,
      chargers: this.#chargers,
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
    }
  }

  progress(atMs: number): Progress {
    const { paused, requestsPerMinute } = this.#settings
    const isStopped = (this.#service?.hold ?? null) !== null || (this.#service?.unreachable ?? null) !== null
    return this.#meter.read({ atMs, goesOn: !paused && !isStopped, requestsPerMinute })
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
