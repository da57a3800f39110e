import { create } from 'zustand'
import type { Place, UiRecipe } from '../../shared/contract/places.ts'
import type { RefusedUpload } from '../bridge/connection.ts'

export const PLACES = ['jobs', 'folders', 'credits', 'chargers', 'settings'] as const
export type PlaceName = (typeof PLACES)[number]

/** The overlay over the window; one at a time. */
export type Overlay =
  /** The intake dialog for these files; `recipe` null starts with the default one, `leftOut` is what an upload refused. */
  | {
      kind: 'intake'
      places: readonly Place[]
      recipe?: UiRecipe | null
      leftOut?: readonly RefusedUpload[]
    }
  /** The progress of an upload to the inbox. */
  | { kind: 'upload' }
  /** Asks for the folder for uploads, then continues with these files. */
  | { kind: 'inbox'; files: readonly File[]; recipe: UiRecipe | null }
  | { kind: 'confirmSpend'; batchId: string }
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'firstRun' }

/** State of the view; none of it concerns the engine. */
export interface View {
  place: PlaceName
  overlay: Overlay | null
  /** A job to show in detail, e.g. from the palette or a notice. */
  openJob: string | null
  /** A folder to show when Folders opens. */
  openFolder: string | null
  /** A section of Settings to show, e.g. `keys`. */
  openSection: string | null
  /** What Jobs should be filtered by when it is opened from elsewhere. */
  jobsFilter: { folderId?: string; batchId?: string; states?: readonly string[] } | null
}

export const useView = create<View>(() => ({
  place: 'jobs',
  overlay: null,
  openJob: null,
  openFolder: null,
  openSection: null,
  jobsFilter: null,
}))

export function goTo(place: PlaceName, more: Partial<Omit<View, 'place'>> = {}): void {
  useView.setState({ place, ...more })
}

export function showOverlay(overlay: Overlay | null): void {
  useView.setState({ overlay })
}
