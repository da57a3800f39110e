import { create } from 'zustand'
import type { Point } from '../../../../shared/chargers/distance.ts'
import { NO_FILTER, type ChargerFilter } from '../../../../shared/chargers/filter.ts'
import type { Sentence } from '../../../../shared/sentences/sentence.ts'
import { ChargerSet, type Found, type Member } from '../data/charger-set.ts'
import { queryOfFilter } from './filter-query.ts'
import { FIRST_VIEW, type NamedPoint, type Remembered } from './remembered.ts'

/** Where something is on the map, and the key of the marker that stands for it while no cluster does. */
export interface Mark {
  key: string
  at: Point | null
}

export const markOf = ({ site, place }: Pick<Member, 'site' | 'place'>): Mark => ({ key: `s${site}`, at: place })

/** The chargers themselves; what is shown of them is in the store. */
export const chargerSet = new ChargerSet()

/** The state of the chargers view. */
export interface ChargersView extends Omit<Remembered, 'filters'> {
  /** The last state has been restored, so the map can be shown. */
  isRestored: boolean
  /** The version of the set; 0 before the first. */
  version: number
  /** Why the set could not be loaded. */
  failure: Sentence | null
  found: Found | null
  filter: ChargerFilter
  /** The reference point for distances unless a person chose one: the middle of the map where a person last moved it. */
  origin: Point
  /** The chosen charger or airfield on the map; also null while its position is not known. */
  chosenMark: Mark | null
  /** What is hovered or focused, in the list or on the map. */
  highlighted: Mark | null
}

const { filters: _filters, ...first } = FIRST_VIEW
export const FIRST_CHARGERS_VIEW: ChargersView = {
  ...first,
  isRestored: false,
  version: 0,
  failure: null,
  found: null,
  filter: NO_FILTER,
  origin: FIRST_VIEW.centre,
  chosenMark: null,
  highlighted: null,
}

export const useChargers = create<ChargersView>(() => FIRST_CHARGERS_VIEW)

/** Whether anything but a search text keeps chargers from being shown. */
export const isFiltered = ({ filter }: ChargersView): boolean => queryOfFilter({ ...filter, search: '' }) !== ''

/** The reference point for distances; without a name it is the middle of the map. */
export const fromOf = ({ from, origin }: ChargersView): Point & Partial<NamedPoint> => from ?? origin
