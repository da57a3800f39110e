import { isPoint, type Point } from '../distance.ts'
import { straightText } from '../../text/safe-characters.ts'
import { MAX_KW, MAX_KWH, MAX_RANGE_NM, MAX_SPEED_KT, readReserve, reserveText, usableNm } from './aircraft.ts'
import type { Aircraft, Reserve } from './aircraft.ts'
import type { RoutePreference } from './find-route.ts'
import { readWind, windText, type Wind } from './wind.ts'

/** A start, via point or destination of a route. */
export interface NamedPlace {
  name: string
  place: Point
  /** Of an airfield of the list. */
  icao?: string
}

/** A request for a route, complete or not: everything that a link to it contains. */
export interface RoutePlan {
  from: NamedPlace | null
  via: readonly NamedPlace[]
  to: NamedPlace | null
  aircraft: Aircraft
  prefer: RoutePreference
  /** Also use chargers that list no connectors or aircraft. */
  takeFitNotKnown: boolean
  /** Unix milliseconds (`planTime`); null: now. */
  departMs: number | null
  /** Time on the ground at each charge stop, in addition to charging. */
  groundMinutes: number
  /** Null: still air. It counts only with a speed that is above its own. */
  wind: Wind | null
  /** Charge at the start, of a full one. */
  startPercent: number
}

/** A plan that can be asked for: it has both ends, and some range. */
export interface RouteRequest extends RoutePlan {
  from: NamedPlace
  to: NamedPlace
  departMs: number
  /** Unix milliseconds: live states are given for this moment only. */
  nowMs: number
}

export const TAKE_FIT_NOT_KNOWN = false
export const MAX_VIA = 8
export const MAX_GROUND_MINUTES = 1440
export const FULL_PERCENT = 100
export const MAX_NAMES = 10
export const MAX_NAME = 80
const PREFERENCES: readonly RoutePreference[] = ['stops', 'distance', 'time']

/** A wind counts only below the airspeed. */
export const lacksSpeed = ({ wind, aircraft: { speedKt } }: Pick<RoutePlan, 'wind' | 'aircraft'>): boolean =>
  wind !== null && !(wind.knots < (speedKt ?? 0))

/** The request of a complete plan, from now on at the earliest; null for an incomplete one. */
export function requestOfPlan(plan: RoutePlan, nowMs: number): RouteRequest | null {
  const { from, to, departMs } = plan
  if (from === null || to === null || usableNm(plan.aircraft) === null || lacksSpeed(plan)) return null
  return { ...plan, from, to, departMs: Math.max(departMs ?? nowMs, nowMs), nowMs }
}

/** The plan as the query of an address. Places are written as coordinates and a name, so that a link means the same everywhere. */
export function queryOfPlan(plan: RoutePlan): URLSearchParams {
  const { from, via, to, aircraft, prefer, takeFitNotKnown, departMs, groundMinutes, wind, startPercent } = plan
  const { connectors, types, rangeNm, reserve, speedKt, usableKwh, maxKw } = aircraft
  const query = new URLSearchParams()
  const add = (name: string, value: string | number | null) => value !== null && query.append(name, String(value))
  if (from !== null) add('from', placeText(from))
  for (const place of via) add('via', placeText(place))
  if (to !== null) add('to', placeText(to))
  add('range', rangeNm)
  add('reserve', reserveText(reserve))
  add('speed', speedKt)
  add('energy', usableKwh)
  add('kw', maxKw)
  for (const name of connectors) add('connector', name)
  for (const name of types) add('type', name)
  if (prefer !== 'stops') add('prefer', prefer)
  if (takeFitNotKnown) add('unknown', 1)
  if (departMs !== null) add('depart', `${fieldTime(departMs)}Z`)
  if (groundMinutes !== 0) add('ground', groundMinutes)
  if (wind !== null) add('wind', windText(wind))
  if (startPercent !== FULL_PERCENT) add('charge', startPercent)
  return query
}

function placeText({ name, place }: NamedPlace): string {
  return `${place.lat},${place.lng},${name.slice(0, MAX_NAME)}`
}

/** Null for a query without a plan, or with something that cannot be read: nothing else than was meant must be planned with. */
export function planInQuery(query: URLSearchParams): RoutePlan | null {
  let isWhole = true
  const read = <Value>(name: string, reader: (text: string) => Value | null): Value | null => {
    const text = query.get(name) ?? ''
    if (isBlank(text)) return null
    const value = reader(text)
    isWhole &&= value !== null
    return value
  }
  const figure = (name: string, least: number, most: number) =>
    read(name, (text) => (Number(text) >= least && Number(text) <= most ? Number(text) : null))
  const vias = query.getAll('via').filter((text) => !isBlank(text))
  const via = vias.map(placeIn).filter((place) => place !== null)
  const rangeNm = figure('range', 1, MAX_RANGE_NM)
  const plan: RoutePlan = {
    from: placeIn(query.get('from')),
    via,
    to: placeIn(query.get('to')),
    aircraft: {
      connectors: namesIn(query.getAll('connector')),
      types: namesIn(query.getAll('type')),
      rangeNm: rangeNm ?? 0,
      reserve: read('reserve', boundReserve) ?? { value: 0, unit: 'nm' },
      speedKt: figure('speed', 10, MAX_SPEED_KT),
      usableKwh: figure('energy', 0.1, MAX_KWH),
      maxKw: figure('kw', 0.1, MAX_KW),
    },
    prefer: PREFERENCES.find((one) => one === query.get('prefer')) ?? 'stops',
    takeFitNotKnown: query.get('unknown') === '1',
    departMs: read('depart', readPlanTime),
    groundMinutes: Math.round(figure('ground', 0, MAX_GROUND_MINUTES) ?? 0),
    wind: read('wind', readWind),
    startPercent: figure('charge', 0, FULL_PERCENT) ?? FULL_PERCENT,
  }
  return rangeNm !== null && isWhole && via.length === vias.length && via.length <= MAX_VIA ? plan : null
}

function boundReserve(text: string): Reserve | null {
  const reserve = readReserve(text)
  return reserve !== null && reserve.value <= MAX_RANGE_NM ? reserve : null
}

function placeIn(text: string | null): NamedPlace | null {
  const [lat, lng, ...name] = (text ?? '').split(',')
  if (lat === undefined || lng === undefined || lat.trim() === '' || lng.trim() === '') return null
  const place = { lat: Number(lat), lng: Number(lng) }
  if (!isPoint(place)) return null
  return { name: straightText(name.join(',')).slice(0, MAX_NAME) || `${lat},${lng}`, place }
}

const isBlank = (text: string | null) => text === null || text.trim() === ''

const namesIn = (texts: readonly string[]) =>
  texts
    .map((text) => straightText(text).trim().slice(0, MAX_NAME))
    .filter((text) => text !== '')
    .slice(0, MAX_NAMES)

/** Times of a plan are from 1970 on and before the year 3000: addresses, fields and clocks show such years with four digits. */
const END_MS = Date.UTC(3000, 0, 1)

/** Unix milliseconds; null outside of those times. */
export function planTime(ms: number): number | null {
  return ms >= 0 && ms < END_MS ? ms : null
}

/** A date and time with an offset, as in "2026-05-01T09:00+02:00"; null for anything else. */
export function readPlanTime(text: string): number | null {
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(text.trim()) ? planTime(Date.parse(text)) : null
}

/** In UTC, as addresses write it: "2026-05-01T09:00". */
export function fieldTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16)
}
