import { isPoint, type Point } from '../../../../shared/chargers/distance.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'

export const SORTS = ['distance', 'power', 'airfield', 'freshness'] as const
export type Sort = (typeof SORTS)[number]

export interface NamedPoint extends Point {
  name: string
}

/** The last state of the chargers view. */
export interface Remembered {
  centre: Point
  zoom: number
  sort: Sort
  /** See `queryOfFilter`. */
  filters: string
  /** Where distances are measured from, if a person chose that. */
  from: NamedPoint | null
  isListShown: boolean
  /** The last planned route, as the query of its address. */
  lastRoute: string | null
}

const MAX_NAME = 200
const MAX_QUERY = 8000

/** Europe, where most chargers at airfields are. */
export const FIRST_VIEW: Remembered = {
  centre: { lat: 49.5, lng: 9.5 },
  zoom: 5,
  sort: 'distance',
  filters: '',
  from: null,
  isListShown: true,
  lastRoute: null,
}

/** Any version of this page may have written it, so what cannot be read is that of the first view. */
export function readRemembered(value: unknown): Remembered {
  const kept = Object(value) as Partial<Record<keyof Remembered, unknown>>
  const { centre, zoom, sort, filters, lastRoute } = FIRST_VIEW
  const from = pointIn(kept.from)
  const { name } = Object(kept.from) as Partial<NamedPoint>
  return {
    centre: pointIn(kept.centre) ?? centre,
    zoom: typeof kept.zoom === 'number' && kept.zoom >= 0 && kept.zoom <= 18 ? kept.zoom : zoom,
    sort: SORTS.find((one) => one === kept.sort) ?? sort,
    filters: textIn(kept.filters) ?? filters,
    from: from === null || typeof name !== 'string' ? null : { ...from, name: straightText(name).slice(0, MAX_NAME) },
    isListShown: kept.isListShown !== false,
    lastRoute: textIn(kept.lastRoute) ?? lastRoute,
  }
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, MAX_QUERY) : null)

const pointIn = (value: unknown): Point | null =>
  isPoint(value as Point | null) ? { lat: (value as Point).lat, lng: (value as Point).lng } : null
