import { create } from 'zustand'
import type { Point } from '../../../../shared/chargers/distance.ts'
import type { Sentence } from '../../../../shared/sentences/sentence.ts'
import type { ChosenCharger } from '../../../store/view-store.ts'
import { ChargerSet, type Found, type Member } from '../data/charger-set.ts'
import type { Area } from '../data/sites.ts'
import { FIRST_VIEW, type NamedPoint, type Remembered } from './remembered.ts'

/** Where something is on the map, and the key of the marker that stands for it while no cluster does. */
export interface Mark {
  key: string
  at: Point | null
}

export const markOf = ({ site, place }: Pick<Member, 'site' | 'place'>): Mark => ({ key: `s${site}`, at: place })

/** Of the chosen charger or airfield; null if none is, or if it is no longer there. */
export function chosenMark(chosen: ChosenCharger | null): Mark | null {
  if (chosen?.kind === 'charger') {
    const one = chargerSet.detail(chosen.id)
    return one === null ? null : markOf(one)
  }
  const site = chosen === null ? null : chargerSet.site(chosen.key)
  return site === null ? null : { key: `s${chosen?.key.split(',')[0] ?? ''}`, at: site.at }
}

/** The chargers themselves; what is shown of them is in the store. */
export const chargerSet = new ChargerSet()

/** The state of the chargers view; what it is filtered by is in the address (`useFilter`). */
export interface ChargersView extends Omit<Remembered, 'filters'> {
  /** The last state has been restored, so the map can be shown. */
  isRestored: boolean
  /** The version of the set; 0 before the first. */
  version: number
  /** Why the set could not be loaded. */
  failure: Sentence | null
  found: Found | null
  /** The reference point for distances unless a person chose one: the middle of the map where a person last moved it. */
  origin: Point
  /** What is hovered or focused, in the list or on the map. */
  highlighted: Mark | null
  /** What the map shows; null until it does. */
  area: Area | null
}

const { filters: _filters, ...first } = FIRST_VIEW
export const FIRST_CHARGERS_VIEW: ChargersView = {
  ...first,
  isRestored: false,
  version: 0,
  failure: null,
  found: null,
  origin: FIRST_VIEW.centre,
  highlighted: null,
  area: null,
}

export const useChargers = create<ChargersView>(() => FIRST_CHARGERS_VIEW)

/** The reference point for distances; without a name it is the middle of the map. */
export const fromOf = ({ from, origin }: ChargersView): Point & Partial<NamedPoint> => from ?? origin
