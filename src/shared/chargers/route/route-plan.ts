import { isPoint } from '../distance.ts'
import { straightText } from '../straight-text.ts'
import { MAX_KW, MAX_KWH, MAX_RANGE_NM, MAX_SPEED_KT, usableNm, type Aircraft } from './aircraft.ts'
import type { RoutePreference } from './find-route.ts'
import type { RouteRequest } from './plan-routes.ts'
import { fieldTime, readPlanTime } from './plan-time.ts'
import type { NamedPlace } from './route-network.ts'

/** A request for a route, complete or not: everything that a link to it contains. */
export interface RoutePlan {
  from: NamedPlace | null
  via: readonly NamedPlace[]
  to: NamedPlace | null
  aircraft: Aircraft
  prefer: RoutePreference
  /** Also use chargers that list no connectors or aircraft. */
  takeFitNotKnown: boolean
  /** Ids of chargers to avoid. */
  avoid: readonly number[]
  /** Unix milliseconds (`planTime`); null: now. */
  departMs: number | null
  /** Time on the ground at each charge stop, in addition to charging. */
  groundMinutes: number
}

/** The default of the window and the command line: chargers not known to fit are left out, with a notice. */
export const TAKE_FIT_NOT_KNOWN = false
export const MOST_VIA = 8
const MOST_AVOIDED = 100
export const MAX_GROUND_MINUTES = 1440
const MOST_NAMES = 10
const MAX_NAME = 80
const PREFERENCES: readonly RoutePreference[] = ['stops', 'distance', 'time']

/** The request of a complete plan; null for an incomplete one. */
export function requestOfPlan(plan: RoutePlan, nowMs: number): RouteRequest | null {
  const { from, via, to, aircraft, prefer, departMs, groundMinutes } = plan
  if (from === null || to === null || usableNm(aircraft) === null) return null
  return { from, via, to, aircraft, prefer, departMs: departMs ?? nowMs, groundMinutes, nowMs }
}

/** The plan as the query of an address. Places are written as coordinates and a name, so that a link means the same everywhere. */
export function queryOfPlan(plan: RoutePlan): URLSearchParams {
  const { from, via, to, aircraft, prefer, takeFitNotKnown, avoid, departMs, groundMinutes } = plan
  const { connectors, types, rangeNm, reserveNm, speedKt, usableKwh, maxKw } = aircraft
  const query = new URLSearchParams()
  const add = (name: string, value: string | number | null) => value !== null && query.append(name, String(value))
  if (from !== null) add('from', placeText(from))
  for (const place of via) add('via', placeText(place))
  if (to !== null) add('to', placeText(to))
  add('range', rangeNm)
  add('reserve', reserveNm)
  add('speed', speedKt)
  add('energy', usableKwh)
  add('kw', maxKw)
  for (const name of connectors) add('connector', name)
  for (const name of types) add('type', name)
  if (prefer !== 'stops') add('prefer', prefer)
  if (takeFitNotKnown) add('unknown', 1)
  if (avoid.length > 0) add('avoid', avoid.join('.'))
  if (departMs !== null) add('depart', `${fieldTime(departMs)}Z`)
  if (groundMinutes !== 0) add('ground', groundMinutes)
  return query
}

function placeText({ name, place }: NamedPlace): string {
  return `${place.lat},${place.lng},${name.slice(0, MAX_NAME)}`
}

/** Null for a query without a plan. Unreadable parts are left out. */
export function planInQuery(query: URLSearchParams): RoutePlan | null {
  const rangeNm = numberIn(query.get('range'), 1, MAX_RANGE_NM)
  if (rangeNm === null) return null
  const prefer = PREFERENCES.find((one) => one === query.get('prefer')) ?? 'stops'
  return {
    from: placeIn(query.get('from')),
    via: query
      .getAll('via')
      .slice(0, MOST_VIA)
      .map(placeIn)
      .filter((place) => place !== null),
    to: placeIn(query.get('to')),
    aircraft: {
      connectors: namesIn(query.getAll('connector')),
      types: namesIn(query.getAll('type')),
      rangeNm,
      reserveNm: numberIn(query.get('reserve'), 0, MAX_RANGE_NM) ?? 0,
      speedKt: numberIn(query.get('speed'), 10, MAX_SPEED_KT),
      usableKwh: numberIn(query.get('energy'), 0.1, MAX_KWH),
      maxKw: numberIn(query.get('kw'), 0.1, MAX_KW),
    },
    prefer,
    takeFitNotKnown: query.get('unknown') === '1',
    avoid: [...new Set((query.get('avoid') ?? '').split('.').filter((id) => /^\d{1,15}$/.test(id)))]
      .slice(0, MOST_AVOIDED)
      .map(Number),
    departMs: readPlanTime(query.get('depart') ?? ''),
    groundMinutes: Math.round(numberIn(query.get('ground'), 0, MAX_GROUND_MINUTES) ?? 0),
  }
}

function placeIn(text: string | null): NamedPlace | null {
  const [lat, lng, ...name] = (text ?? '').split(',')
  if (lat === undefined || lng === undefined || lat.trim() === '' || lng.trim() === '') return null
  const place = { lat: Number(lat), lng: Number(lng) }
  if (!isPoint(place)) return null
  return { name: straightText(name.join(',')).slice(0, MAX_NAME) || `${lat},${lng}`, place }
}

function numberIn(text: string | null, least: number, most: number): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return value >= least && value <= most ? value : null
}

const namesIn = (texts: readonly string[]) =>
  texts
    .map((text) => straightText(text).trim().slice(0, MAX_NAME))
    .filter((text) => text !== '')
    .slice(0, MOST_NAMES)
