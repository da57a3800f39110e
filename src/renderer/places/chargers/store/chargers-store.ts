import { create } from 'zustand'
import type { Point } from '../../../../shared/chargers/distance.ts'
import type { Sentence } from '../../../../shared/sentences/sentence.ts'
import type { ChargerClient } from '../data/charger-client.ts'
import type { Mark } from '../map/mark.ts'
import type { Found, QuickFilter } from '../data/protocol.ts'
import { FIRST_VIEW, isFiltering, type Remembered } from './remembered.ts'

/** At a time in Unix milliseconds, or by a flight from the reference point for distances. `only`: only chargers open then. */
export type ArrivalChoice = ({ by: 'time'; atMs: number } | { by: 'flight'; speedKt: number }) & { only: boolean }

/** The state of the chargers view; the chargers themselves are in the worker. */
export interface ChargersView extends Remembered {
  /** The last state has been restored, so the map can be shown. */
  isRestored: boolean
  client: ChargerClient | null
  /** The version of the worker's set; 0 before the first. */
  version: number
  /** Why the worker could not load the set. */
  failure: Sentence | null
  /** The worker failed to start or crashed: nothing is shown until the page is reloaded. */
  isWorkerGone: boolean
  found: Found | null
  search: string
  /** The reference point for distances unless a person chose one: the middle of the map where a person last moved it. */
  origin: Point
  /** The chosen charger or airfield on the map; also null while its position is not known. */
  chosenMark: Mark | null
  /** What is hovered or focused, in the list or on the map. */
  highlighted: Mark | null
  quick: Partial<Record<QuickFilter, number>>
  /** The arrival, besides now, for which opening hours are shown. */
  arrival: ArrivalChoice | null
}

export const FIRST_CHARGERS_VIEW: ChargersView = {
  ...FIRST_VIEW,
  isRestored: false,
  client: null,
  version: 0,
  failure: null,
  isWorkerGone: false,
  found: null,
  search: '',
  origin: FIRST_VIEW.centre,
  chosenMark: null,
  highlighted: null,
  quick: {},
  arrival: null,
}

export const useChargers = create<ChargersView>(() => FIRST_CHARGERS_VIEW)

/** Whether anything but a search text keeps chargers from being shown. */
export function isFiltered({ filter, ring, arrival }: ChargersView): boolean {
  return isFiltering(filter) || ring?.only === true || arrival?.only === true
}
