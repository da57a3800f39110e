import { MAX_SPEED_KT } from '../../../../shared/chargers/route/aircraft.ts'
import { fieldTime, readPlanTime } from '../../../../shared/chargers/route/plan-time.ts'
import type { ChargersView } from './chargers-store.ts'
import { readFilter, readRing, type ChosenFilter } from './remembered.ts'

/** What of the view the query of an address says. */
type Filtered = Pick<ChargersView, 'filter' | 'search' | 'ring' | 'arrival'>

const FLAGS = { free: 'freeNow', open: 'openNow', favourites: 'favouritesOnly' } as const
const LISTS = {
  plug: 'connectors',
  aircraft: 'aircraft',
  pay: 'payment',
  country: 'countries',
  current: 'current',
  state: 'states',
  fit: 'fit',
} as const satisfies Record<string, keyof ChosenFilter>
const SLOWEST_KT = 10

/** The filters as the query of an address (`CHARGER_FILTERS`); empty for none. */
export function queryOfFilter({ filter, search, ring, arrival }: Filtered): string {
  const query = new URLSearchParams()
  for (const [name, member] of Object.entries(FLAGS)) if (filter[member]) query.append('show', name)
  for (const [name, member] of Object.entries(LISTS)) for (const value of filter[member]) query.append(name, value)
  if (filter.minKw !== null) query.append('min', String(filter.minKw))
  if (ring !== null && ring.only) query.append('within', [ring.centre.lat, ring.centre.lng, ring.nm].join(','))
  if (arrival !== null && arrival.only)
    query.append('arrival', arrival.by === 'time' ? `${fieldTime(arrival.atMs)}Z` : `${arrival.speedKt}kt`)
  if (search !== '') query.append('search', search)
  return query.toString()
}

/** The filters that a query says; ring and arrival stay as they are, but filter only if it says so. Unreadable parts are left out. */
export function filterInQuery(text: string, { ring, arrival }: Pick<ChargersView, 'ring' | 'arrival'>): Filtered {
  const query = new URLSearchParams(text)
  const shown = query.getAll('show')
  const kept: Record<string, unknown> = { minKw: Number(query.get('min') ?? Number.NaN) }
  for (const [name, member] of Object.entries(FLAGS)) kept[member] = shown.includes(name)
  for (const [name, member] of Object.entries(LISTS)) kept[member] = query.getAll(name)
  return {
    filter: readFilter(kept),
    search: query.get('search') ?? '',
    ring: ringIn(query.get('within')) ?? (ring === null ? null : { ...ring, only: false }),
    arrival: arrivalIn(query.get('arrival')) ?? (arrival === null ? null : { ...arrival, only: false }),
  }
}

function ringIn(text: string | null): ChargersView['ring'] {
  const [lat, lng, nm] = (text ?? '').split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  return readRing({ centre: { lat, lng }, nm, only: true })
}

function arrivalIn(text: string | null): ChargersView['arrival'] {
  const atMs = readPlanTime(text ?? '')
  if (atMs !== null) return { by: 'time', atMs, only: true }
  const speedKt = Number(/^([\d.]+)kt$/.exec(text ?? '')?.[1] ?? Number.NaN)
  return speedKt >= SLOWEST_KT && speedKt <= MAX_SPEED_KT ? { by: 'flight', speedKt, only: true } : null
}
