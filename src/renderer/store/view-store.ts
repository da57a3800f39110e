import { create } from 'zustand'
import type { Place, UiRecipe } from '../../shared/contract/places.ts'
import type { RoutePlan } from '../../shared/chargers/route/route-plan.ts'
import type { PlaceName } from '../../shared/presentation/shortcuts.ts'
import type { ListFilter } from './jobs-filter.ts'
import type { RefusedUpload } from '../bridge/connection.ts'

/** The sections of each page of the settings, in their order. */
export const SETTINGS_PAGES = {
  general: ['appearance', 'notices', 'about'],
  account: ['services', 'spending'],
  recipes: ['recipes'],
  chargers: ['chargers'],
  advanced: ['queue', 'team', 'hooks', 'data'],
} as const
export type SettingsSection = (typeof SETTINGS_PAGES)[keyof typeof SETTINGS_PAGES][number]
export const SETTINGS_SECTIONS: readonly SettingsSection[] = Object.values(SETTINGS_PAGES).flat()

/** The ranges of Credits. */
export const CREDIT_DAYS = [7, 30, 90, 365] as const
type CreditDays = (typeof CREDIT_DAYS)[number]

/** The overlay over the window; one at a time. */
export type Overlay =
  /**
   * The intake dialog for these files; `recipe` null starts with the default one, `leftOut` is what an upload refused,
   * `insteadOf` are the jobs that another recipe is chosen for.
   */
  | {
      kind: 'intake'
      places: readonly Place[]
      recipe?: UiRecipe | null
      leftOut?: readonly RefusedUpload[]
      insteadOf?: readonly string[]
    }
  /** The progress of an upload to the inbox. */
  | { kind: 'upload' }
  /** Asks for the folder for uploads, then continues with these files. */
  | { kind: 'inbox'; files: readonly File[]; recipe: UiRecipe | null }
  | { kind: 'confirmSpend'; batchId: string }
  | { kind: 'palette' }
  | { kind: 'shortcuts' }

export type ChosenCharger =
  /** `fromSite`: chosen from the list of an airfield, to which the way back leads. */
  { kind: 'charger'; id: number; fromSite: string | null } | { kind: 'site'; key: string }

/** What is open in which place: the address bar has it too (`address.ts`). */
export interface Open {
  place: PlaceName
  /** The job whose picture is on the stage. */
  openJob: string | null
  folder: string | null
  /** Of Settings, e.g. `keys`. */
  section: string | null
  charger: ChosenCharger | null
  /** What the chargers are filtered by, as the query of an address; null for the filters of the last time. */
  chargerFilter: string | null
  /** How many Credits shows. */
  days: CreditDays
  /** The route that is being planned, complete or not. */
  route: RoutePlan | null
}

interface View extends Open {
  overlay: Overlay | null
  /** What Pictures should be filtered by when it is opened from elsewhere; null once it is. */
  jobsFilter: Partial<ListFilter> | null
  /** Counts what a person was led to: a section that was scrolled away since is shown again. */
  visit: number
}

export const NOTHING_OPEN: Omit<Open, 'place'> = {
  openJob: null,
  folder: null,
  section: null,
  charger: null,
  chargerFilter: null,
  days: 30,
  route: null,
}

export const useView = create<View>(() => ({
  ...NOTHING_OPEN,
  place: 'jobs',
  overlay: null,
  jobsFilter: null,
  visit: 0,
}))

export function goTo(place: PlaceName, more: Partial<Omit<View, 'place' | 'visit'>> = {}): void {
  useView.setState(({ visit }) => ({ folder: null, section: null, ...more, place, visit: visit + 1 }))
}

export function showOverlay(overlay: Overlay | null): void {
  useView.setState({ overlay })
}
