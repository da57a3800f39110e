import type { AppInfo } from '../../shared/contract/app.ts'
import type { EngineSnapshot } from '../../shared/contract/engine-port.ts'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import type { Progress } from '../../shared/contract/queue.ts'
import type { UiState } from '../../shared/contract/stream.ts'
import type { StoppedTask } from '../../shared/runtime/background.ts'
import { activeIn, needsPerson } from '../../shared/presentation/progress-figures.ts'
import type { PlaceRegistry } from './place-registry.ts'
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

/** What a page is shown besides the engine's snapshot. */
interface Beside {
  app: AppInfo
  progress: Progress
  /** How many of its files are still to be read, for each batch that is being taken in. */
  reading: ReadonlyMap<string, number>
  versions: UiState['versions']
  stopped: StoppedTask[]
  /** When something last happened to a picture of a folder, by its id. */
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

export function hostStatus({ settings, counts, service, away }: EngineSnapshot, progress: Progress): HostStatus {
  const isHeld = (service?.hold ?? null) !== null && activeIn(counts) > 0
  return {
    paused: settings.paused,
    progress,
    counts,
    needsPerson: needsPerson(counts) + (isHeld ? 1 : 0),
    away: away.length,
  }
}
