import { create } from 'zustand'
import type { Point } from '../../../../shared/chargers/distance.ts'
import type { ChargerClient } from '../data/charger-client.ts'
import type { Mark } from '../map/mark.ts'
import type { Found, QuickFilter } from '../data/protocol.ts'
import { FIRST_VIEW, type Remembered } from './remembered.ts'

/** What the view of chargers shows; the chargers themselves are with the worker. */
export interface ChargersView extends Remembered {
  /** How the view was left is known, and the map can be shown. */
  isRestored: boolean
  client: ChargerClient | null
  /** Of the set that the worker holds; 0 before the first. */
  version: number
  /** The worker could not take the set, and says why. */
  failure: string | null
  /** What holds the chargers did not start or crashed: nothing is shown before the page is loaded again. */
  isWorkerGone: boolean
  found: Found | null
  search: string
  /** What distances are told from, unless a person chose a point: the middle of the map as a person left it. */
  origin: Point
  /** Where the chosen charger or airfield is on the map; null as well while that is not known yet. */
  chosenMark: Mark | null
  /** What the pointer or the focus is on, in the list or on the map. */
  looked: Mark | null
  quick: Partial<Record<QuickFilter, number>>
  /** The time that opening hours are looked at for, besides now; Unix milliseconds. */
  arrivalMs: number | null
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
  looked: null,
  quick: {},
  arrivalMs: null,
}

export const useChargers = create<ChargersView>(() => FIRST_CHARGERS_VIEW)
