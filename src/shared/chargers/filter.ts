import type { Current } from './power.ts'
import { facetKey, fold } from './fold.ts'
import { liveStatusOf } from './live-state.ts'
import { isOpenOn, zoneDays } from './opening-hours.ts'
import type { FacetText, PreparedCharger } from './prepare.ts'
import { memoise } from './memoise.ts'

/** All conditions must hold; within one list, one matching value is enough. An empty list, null or false is no condition. */
export interface ChargerFilter {
  /** Every word must occur in the code, airfield, manufacturer, type, a connector, an aircraft or a payment type. */
  search: string
  /** In any spelling, as is `payment`. */
  connectors: readonly string[]
  current: readonly Current[]
  /** Power of one outlet. A charger of unknown power does not match. */
  minKw: number | null
  payment: readonly string[]
  /** Free by its current live state or, without one, by the service's yes/no (`LiveStatus.isLive` tells which). */
  freeNow: boolean
  /** Open by its weekly hours; unknown hours do not match. */
  openNow: boolean
  favouritesOnly: boolean
  /** Not known not to fit the chosen aircraft; without one this is no condition. */
  fitting: boolean
}

export const NO_FILTER: ChargerFilter = {
  search: '',
  connectors: [],
  current: [],
  minKw: null,
  payment: [],
  freeNow: false,
  openNow: false,
  favouritesOnly: false,
  fitting: false,
}

/** The values that a charger has of what can be filtered by a list. */
const VALUES = {
  current: ({ currents }) => currents.map((key) => ({ key, label: key })),
  connectors: ({ connectors }) => connectors,
  payment: ({ payment }) => payment,
} as const satisfies Record<string, (one: PreparedCharger) => readonly FacetText[]>

type ListName = keyof typeof VALUES
export type FacetName = Exclude<ListName, 'current'>

type Test = (prepared: PreparedCharger) => boolean

/** The filter as a predicate at this instant. */
export function filterTest(filter: ChargerFilter, nowMs: number): Test {
  const { minKw } = filter
  // Cheapest first: most chargers are rejected before the slower tests run.
  const given: (Test | false)[] = [
    filter.favouritesOnly && (({ favourite }) => favourite),
    filter.freeNow && ((one) => liveStatusOf(one, nowMs).freeNow),
    filter.fitting && (({ fit }) => fit !== 'does_not_fit'),
    minKw !== null && minKw > 0 && (({ power }) => power !== null && power.kw >= minKw),
    ...(Object.keys(VALUES) as ListName[]).map((name) => valueTest(filter[name], VALUES[name])),
    searchTest(filter.search),
    filter.openNow && openTest(nowMs),
  ]
  const tests = given.filter((test) => test !== false)
  return (prepared) => tests.every((test) => test(prepared))
}

function valueTest(values: readonly string[], valuesOf: (typeof VALUES)[ListName]): Test | false {
  const wanted = new Set(values.flatMap((value) => [value, facetKey(value)]))
  wanted.delete(null)
  return wanted.size > 0 && ((one) => valuesOf(one).some(({ key }) => wanted.has(key)))
}

function searchTest(search: string): Test | false {
  const words = fold(search).split(' ').filter(Boolean)
  return words.length > 0 && (({ searched }) => words.every((word) => searched.includes(word)))
}

function openTest(nowMs: number): Test {
  const daysIn = memoise((zone) => zoneDays(zone, nowMs))
  return ({ openAllWeek, zone, week }) => {
    if (openAllWeek) return true
    const days = zone === null ? null : daysIn(zone)
    return days !== null && isOpenOn(week, days, nowMs)
  }
}

/** A value to filter by, and how many chargers have it. */
export interface Facet {
  /** The value for a `ChargerFilter`. */
  key: string
  /** The most common spelling, untrusted. */
  label: string
  count: number
}

/** The most common first. */
export function facet(name: FacetName, prepared: readonly PreparedCharger[]): Facet[] {
  const values = prepared.flatMap(VALUES[name])
  return [...Map.groupBy(values, ({ key }) => key)]
    .map(([key, alike]) => ({ key, label: commonest(alike), count: alike.length }))
    .sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1))
}

/** Ties go to the first by code point. */
function commonest(values: readonly FacetText[]): string {
  const labels = [...Map.groupBy(values, ({ label }) => label)]
  const [[label] = ['']] = labels.sort(([a, some], [b, more]) => more.length - some.length || (a < b ? -1 : 1))
  return label
}
