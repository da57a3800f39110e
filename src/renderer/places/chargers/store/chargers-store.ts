import { create } from 'zustand'
import type { Point } from '../../../../shared/chargers/distance.ts'
import type { Sentence } from '../../../../shared/sentences/sentence.ts'
import { ChargerSet, type Found } from '../data/charger-set.ts'
import { RouteDesk } from '../data/route-desk.ts'
import { FIRST_VIEW, isFiltering, type Remembered } from './remembered.ts'

/** At a time in Unix milliseconds, or by a flight from the reference point for distances. `only`: only chargers open then. */
export type ArrivalChoice = ({ by: 'time'; atMs: number } | { by: 'flight'; speedKt: number }) & { only: boolean }

/** Where something is on the map, and the key of the marker that stands for it while no cluster does. */
export interface Mark {
  key: string
  at: Point | null
}

export const siteMark = (site: string, at: Point | null): Mark => ({ key: `s${site}`, at })

/** The chargers themselves; what is shown of them is in the store. */
export const chargerSet = new ChargerSet()
export const routeDesk = new RouteDesk(Date.now)

/** The state of the chargers view. */
export interface ChargersView extends Remembered {
  /** The last state has been restored, so the map can be shown. */
  isRestored: boolean
  /** The version of the set; 0 before the first. */
  version: number
  /** Why the set could not be loaded. */
  failure: Sentence | null
  found: Found | null
  search: string
  /** The reference point for distances unless a person chose one: the middle of the map where a person last moved it. */
  origin: Point
  /** The chosen charger or airfield on the map; also null while its position is not known. */
  chosenMark: Mark | null
  /** What is hovered or focused, in the list or on the map. */
  highlighted: Mark | null
  /** The arrival, besides now, for which opening hours are shown. */
  arrival: ArrivalChoice | null
}

export const FIRST_CHARGERS_VIEW: ChargersView = {
  ...FIRST_VIEW,
  isRestored: false,
  version: 0,
  failure: null,
  found: null,
  search: '',
  origin: FIRST_VIEW.centre,
  chosenMark: null,
  highlighted: null,
  arrival: null,
}

export const useChargers = create<ChargersView>(() => FIRST_CHARGERS_VIEW)

/** Whether anything but a search text keeps chargers from being shown. */
export function isFiltered({ filter, ring, arrival }: ChargersView): boolean {
  return isFiltering(filter) || ring?.only === true || arrival?.only === true
}
