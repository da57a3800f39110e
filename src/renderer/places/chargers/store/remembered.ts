import { isPoint, type Point } from '../../../../shared/chargers/distance.ts'
import { NO_FILTER, type ChargerFilter } from '../../../../shared/chargers/filter.ts'
import { FITS, type Fit } from '../../../../shared/chargers/route/aircraft.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { LIVE_CLASSES, type LiveClass } from '../../../../shared/chargers/live-state.ts'

/*
 * The last state of the chargers view, and saved filters. Any version of this page may have written them, so they are validated.
 */

/** The filters that can be saved. The ring's area, the search text and the arrival are kept elsewhere. */
export type ChosenFilter = Omit<ChargerFilter, 'search' | 'bounds' | 'near' | 'openAt'>

export const SORTS = ['distance', 'power', 'airfield', 'freshness'] as const
export type Sort = (typeof SORTS)[number]

export interface NamedPoint extends Point {
  name: string
}

export interface RingChoice {
  centre: Point
  nm: number
  /** Show only chargers inside the ring. */
  only: boolean
}

export interface Remembered {
  centre: Point
  zoom: number
  sort: Sort
  filter: ChosenFilter
  from: NamedPoint | null
  ring: RingChoice | null
  isListShown: boolean
  /** The last planned route, as the query of its address. */
  lastRoute: string | null
}

export const MAX_RING_NM = 1000
const MAX_VALUES = 50
const MAX_TEXT = 200
const MAX_ROUTE = 8000
/** `Intl.DisplayNames` throws for anything that is not written like a country. */
const COUNTRY = /^[A-Z]{2}$/

export const NO_CHOICE: ChosenFilter = (({ search: _search, bounds: _bounds, near: _near, openAt: _openAt, ...rest }) =>
  rest)(NO_FILTER)

/** Europe, where most chargers at airfields are. */
export const FIRST_VIEW: Remembered = {
  centre: { lat: 49.5, lng: 9.5 },
  zoom: 5,
  sort: 'distance',
  filter: NO_CHOICE,
  from: null,
  ring: null,
  isListShown: true,
  lastRoute: null,
}

export function readRemembered(value: unknown): Remembered {
  const kept = recordOf(value)
  return {
    centre: readPoint(kept.centre) ?? FIRST_VIEW.centre,
    zoom: readNumber(kept.zoom, 0, 18) ?? FIRST_VIEW.zoom,
    sort: SORTS.find((sort) => sort === kept.sort) ?? FIRST_VIEW.sort,
    filter: readFilter(kept.filter),
    from: readFrom(kept.from),
    ring: readRing(kept.ring),
    isListShown: kept.isListShown !== false,
    lastRoute: typeof kept.lastRoute === 'string' ? kept.lastRoute.slice(0, MAX_ROUTE) : null,
  }
}

/** The parts of a saved filter that are still valid; the rest is ignored. */
export function readFilter(value: unknown): ChosenFilter {
  const kept = recordOf(value)
  return {
    countries: readTexts(kept.countries).filter((one) => COUNTRY.test(one)),
    connectors: readTexts(kept.connectors),
    aircraft: readTexts(kept.aircraft),
    payment: readTexts(kept.payment),
    current: readTexts(kept.current).filter((one) => one === 'AC' || one === 'DC'),
    states: readTexts(kept.states).filter((one): one is LiveClass => (LIVE_CLASSES as readonly string[]).includes(one)),
    minKw: readNumber(kept.minKw, 0.1, 10_000),
    freeNow: kept.freeNow === true,
    openNow: kept.openNow === true,
    favouritesOnly: kept.favouritesOnly === true,
    fit: readTexts(kept.fit).filter((one): one is Fit => (FITS as readonly string[]).includes(one)),
  }
}

export function isFiltering(filter: ChosenFilter): boolean {
  return Object.values(filter).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== null && value !== false,
  )
}

function readFrom(value: unknown): NamedPoint | null {
  const point = readPoint(value)
  const { name } = recordOf(value)
  return point === null || typeof name !== 'string' ? null : { ...point, name: straightText(name).slice(0, MAX_TEXT) }
}

export function readRing(value: unknown): RingChoice | null {
  const kept = recordOf(value)
  const [centre, nm] = [readPoint(kept.centre), readNumber(kept.nm, 1, MAX_RING_NM)]
  return centre === null || nm === null ? null : { centre, nm, only: kept.only === true }
}

function readPoint(value: unknown): Point | null {
  const { lat, lng } = recordOf(value)
  const point = { lat, lng } as Point
  return isPoint(point) ? point : null
}

function readNumber(value: unknown, least: number, most: number): number | null {
  return typeof value === 'number' && value >= least && value <= most ? value : null
}

function readTexts(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value
    .filter((text) => typeof text === 'string' && text !== '' && text.length <= MAX_TEXT)
    .slice(0, MAX_VALUES) as string[]
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
