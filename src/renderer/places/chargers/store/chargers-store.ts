import { create } from 'zustand'
import { isPoint, type Point } from '../../../../shared/chargers/distance.ts'
import type { PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import type { Sentence } from '../../../../shared/sentences/sentence.ts'
import { remembered } from '../../../store/remembered-look.ts'
import type { ChosenCharger } from '../../../store/view-store.ts'
import { ChargerIndex, type Found } from '../data/charger-index.ts'
import type { Area } from '../data/sites.ts'

export const SORTS = ['distance', 'power', 'airfield'] as const
type Sort = (typeof SORTS)[number]

export interface Remembered {
  centre: Point
  zoom: number
  sort: Sort
  /** See `queryOfFilter`. */
  filters: string
  /** The last planned route, as the query of its address. */
  lastRoute: string | null
}

const MAX_QUERY = 8000

/** Europe, where most chargers at airfields are. */
export const FIRST_VIEW: Remembered = {
  centre: { lat: 49.5, lng: 9.5 },
  zoom: 5,
  sort: 'distance',
  filters: '',
  lastRoute: null,
}

/** Where something is on the map, and the key of the marker that stands for it while no cluster does. */
export interface Mark {
  key: string
  at: Point | null
}

export const markOf = ({ site, place }: Pick<PreparedCharger, 'site' | 'place'>): Mark => ({
  key: `s${site}`,
  at: place,
})

/** Of the chosen charger or airfield; null if none is, or if it is no longer there. */
export function chosenMark(chosen: ChosenCharger | null): Mark | null {
  const one = chosen?.kind === 'charger' ? chargerIndex.detail(chosen.id) : null
  if (one !== null) return markOf(one)
  const site = chosen?.kind === 'site' ? chargerIndex.site(chosen.key) : null
  return site === null ? null : { key: `s${site.key}`, at: site.at }
}

/** The chargers themselves; what is shown of them is in the store. */
export const chargerIndex = new ChargerIndex()

/** The state of the chargers view; what it is filtered by is in the address (`useFilter`). */
interface ChargersView extends Omit<Remembered, 'filters'> {
  /** The version of the set; 0 before the first. */
  version: number
  failure: Sentence | null
  found: Found | null
  /** The reference point for distances: the middle of the map where a person last moved it. */
  origin: Point
  /** What is hovered or focused, in the list or on the map. */
  highlighted: Mark | null
  area: Area | null
}

/** Any version of this page may have written it, so what cannot be read is that of the first view. */
export function readRemembered(value: unknown): Remembered {
  const kept = Object(value) as Partial<Record<keyof Remembered, unknown>>
  const { centre, zoom, sort, filters, lastRoute } = FIRST_VIEW
  return {
    centre: pointIn(kept.centre) ?? centre,
    zoom: typeof kept.zoom === 'number' && kept.zoom >= 0 && kept.zoom <= 18 ? kept.zoom : zoom,
    sort: SORTS.find((one) => one === kept.sort) ?? sort,
    filters: textIn(kept.filters) ?? filters,
    lastRoute: textIn(kept.lastRoute) ?? lastRoute,
  }
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, MAX_QUERY) : null)

const pointIn = (value: unknown): Point | null =>
  isPoint(value as Point | null) ? { lat: (value as Point).lat, lng: (value as Point).lng } : null

export const useChargers = create<ChargersView>(() => {
  const { filters: _, ...view } = remembered('chargers', readRemembered)
  return { ...view, version: 0, failure: null, found: null, origin: view.centre, highlighted: null, area: null }
})
