import { isPoint } from '../distance.ts'
import { straightText } from '../../text/safe-characters.ts'
import { MAX_KW, MAX_KWH, MAX_RANGE_NM, MAX_SPEED_KT, usableNm, type Aircraft } from './aircraft.ts'
import type { RoutePreference } from './find-route.ts'
import type { RouteRequest } from './route-request.ts'
import { fieldTime, readPlanTime } from './plan-time.ts'
import { readReserve, reserveText, type Reserve } from './reserve.ts'
import type { NamedPlace } from './route-network.ts'
import { readWind, windText, type Wind } from './wind.ts'

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
  /** Null: still air. */
  wind: Wind | null
  /** Charge at the start, of a full one. */
  startPercent: number
  /** What a link gave but could not be read: nothing is planned until a person has changed or confirmed it. */
  unreadable: readonly PlanPart[]
}

/** Parts of a plan that have a value of their own where a link gives none, by their names in its query. */
export const PLAN_PARTS = [
  'range',
  'reserve',
  'speed',
  'energy',
  'kw',
  'via',
  'avoid',
  'depart',
  'ground',
  'wind',
  'charge',
] as const
export type PlanPart = (typeof PLAN_PARTS)[number]

const VALUE_OF: Readonly<Record<PlanPart, (plan: RoutePlan) => unknown>> = {
  range: ({ aircraft }) => aircraft.rangeNm,
  reserve: ({ aircraft }) => aircraft.reserve,
  speed: ({ aircraft }) => aircraft.speedKt,
  energy: ({ aircraft }) => aircraft.usableKwh,
  kw: ({ aircraft }) => aircraft.maxKw,
  via: ({ via }) => via,
  avoid: ({ avoid }) => avoid,
  depart: ({ departMs }) => departMs,
  ground: ({ groundMinutes }) => groundMinutes,
  wind: ({ wind }) => wind,
  charge: ({ startPercent }) => startPercent,
}

/** What is changed counts as read. */
export function changedPlan(plan: RoutePlan, change: Partial<RoutePlan>): RoutePlan {
  const next = { ...plan, ...change }
  const isAsBefore = (part: PlanPart) => VALUE_OF[part](next) === VALUE_OF[part](plan)
  return { ...next, unreadable: change.unreadable ?? plan.unreadable.filter(isAsBefore) }
}

/** The default of the window and the command line: chargers not known to fit are left out, with a notice. */
export const TAKE_FIT_NOT_KNOWN = false
export const MOST_VIA = 8
const MOST_AVOIDED = 100
export const MAX_GROUND_MINUTES = 1440
export const FULL_PERCENT = 100
const MOST_NAMES = 10
const MAX_NAME = 80
const PREFERENCES: readonly RoutePreference[] = ['stops', 'distance', 'time']

/** A wind counts only below the airspeed. */
export const lacksSpeed = ({ wind, aircraft: { speedKt } }: Pick<RoutePlan, 'wind' | 'aircraft'>): boolean =>
  wind !== null && !(wind.knots < (speedKt ?? 0))

/** The request of a complete plan; null for an incomplete one. */
export function requestOfPlan(plan: RoutePlan, nowMs: number): RouteRequest | null {
  const { from, via, to, aircraft, prefer, departMs, groundMinutes, wind, startPercent, unreadable } = plan
  if (from === null || to === null || usableNm(aircraft) === null) return null
  if (lacksSpeed(plan) || unreadable.length > 0) return null
  return { from, via, to, aircraft, prefer, wind, startPercent, departMs: departMs ?? nowMs, groundMinutes, nowMs }
}

/** The plan as the query of an address. Places are written as coordinates and a name, so that a link means the same everywhere. */
export function queryOfPlan(plan: RoutePlan): URLSearchParams {
  const { from, via, to, aircraft, prefer, takeFitNotKnown, avoid, departMs, groundMinutes, wind, startPercent } = plan
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
  if (avoid.length > 0) add('avoid', avoid.join('.'))
  if (departMs !== null) add('depart', `${fieldTime(departMs)}Z`)
  if (groundMinutes !== 0) add('ground', groundMinutes)
  if (wind !== null) add('wind', windText(wind))
  if (startPercent !== FULL_PERCENT) add('charge', startPercent)
  for (const part of plan.unreadable)
    if (part === 'via') query.append(part, UNREADABLE)
    else query.set(part, part === 'avoid' ? [...avoid, UNREADABLE].join('.') : UNREADABLE)
  return query
}

/** Written where a part could not be read, so that it is not taken for one that is missing. */
const UNREADABLE = '?'

function placeText({ name, place }: NamedPlace): string {
  return `${place.lat},${place.lng},${name.slice(0, MAX_NAME)}`
}

/** Null for a query without a plan. */
export function planInQuery(query: URLSearchParams): RoutePlan | null {
  if (isBlank(query.get('range'))) return null
  const unreadable = new Set<PlanPart>()
  const figure = (part: PlanPart, least: number, most: number) => {
    const text = query.get(part)
    const value = numberIn(text, least, most)
    if (value === null && !isBlank(text)) unreadable.add(part)
    return value
  }
  const given = <Value>(part: PlanPart, read: (text: string) => Value | null) => {
    const text = query.get(part) ?? ''
    const value = read(text)
    if (value === null && !isBlank(text)) unreadable.add(part)
    return value
  }
  const vias = query.getAll('via').filter((text) => !isBlank(text))
  const via = vias.map(placeIn).filter((place) => place !== null)
  if (via.length < vias.length || via.length > MOST_VIA) unreadable.add('via')
  const ids = (query.get('avoid') ?? '').split('.').filter((id) => id !== '')
  const avoid = new Set(ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number))
  if (ids.some((id) => !/^\d{1,15}$/.test(id)) || avoid.size > MOST_AVOIDED) unreadable.add('avoid')
  const prefer = PREFERENCES.find((one) => one === query.get('prefer')) ?? 'stops'
  return {
    from: placeIn(query.get('from')),
    via: via.slice(0, MOST_VIA),
    to: placeIn(query.get('to')),
    aircraft: {
      connectors: namesIn(query.getAll('connector')),
      types: namesIn(query.getAll('type')),
      rangeNm: figure('range', 1, MAX_RANGE_NM) ?? 0,
      reserve: given('reserve', boundReserve) ?? { value: 0, unit: 'nm' },
      speedKt: figure('speed', 10, MAX_SPEED_KT),
      usableKwh: figure('energy', 0.1, MAX_KWH),
      maxKw: figure('kw', 0.1, MAX_KW),
    },
    prefer,
    takeFitNotKnown: query.get('unknown') === '1',
    avoid: [...avoid].slice(0, MOST_AVOIDED),
    departMs: given('depart', readPlanTime),
    groundMinutes: Math.round(figure('ground', 0, MAX_GROUND_MINUTES) ?? 0),
    wind: given('wind', readWind),
    startPercent: figure('charge', 0, FULL_PERCENT) ?? FULL_PERCENT,
    unreadable: PLAN_PARTS.filter((part) => unreadable.has(part)),
  }
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

function numberIn(text: string | null, least: number, most: number): number | null {
  const value = isBlank(text) ? Number.NaN : Number(text)
  return value >= least && value <= most ? value : null
}

const namesIn = (texts: readonly string[]) =>
  texts
    .map((text) => straightText(text).trim().slice(0, MAX_NAME))
    .filter((text) => text !== '')
    .slice(0, MOST_NAMES)
