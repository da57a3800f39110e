import { NO_COUNTRY } from './countries.ts'
import type { Current } from './power.ts'
import { facetKey, fold } from './fold.ts'
import { liveStatusOf, type LiveClass } from './live-state.ts'
import { isOpenOn } from './opening-hours.ts'
import type { Fit } from './route/aircraft.ts'
import type { FacetText, PreparedCharger } from './prepare.ts'
import { codeWords } from './search.ts'
import { memoise } from './memoise.ts'
import { zoneDays } from './zone-days.ts'

/**
 * All conditions that are set must hold; within one list, one matching value is enough. An empty list, null or false is no
 * condition.
 */
export interface ChargerFilter {
  /** Every word must occur in the code, airfield, manufacturer, type, a connector, an aircraft or a payment type. */
  search: string
  /** ISO 3166-1 alpha-2; `NO_COUNTRY` for chargers whose country is unknown. */
  countries: readonly string[]
  /** In any spelling, as are `aircraft` and `payment`. */
  connectors: readonly string[]
  current: readonly Current[]
  /** Power of one outlet. A charger of unknown power does not match. */
  minKw: number | null
  aircraft: readonly string[]
  payment: readonly string[]
  states: readonly LiveClass[]
  /** Free by its current live state or, without one, by the service's yes/no (`LiveStatus.isLive` tells which). */
  freeNow: boolean
  /** Open by its weekly hours; unknown hours do not match. */
  openNow: boolean
  favouritesOnly: boolean
  /** How it has to fit the chosen aircraft; without one this is no condition. */
  fit: readonly Fit[]
}

export const NO_FILTER: ChargerFilter = {
  search: '',
  countries: [],
  connectors: [],
  current: [],
  minKw: null,
  aircraft: [],
  payment: [],
  states: [],
  freeNow: false,
  openNow: false,
  favouritesOnly: false,
  fit: [],
}

type Test = (prepared: PreparedCharger) => boolean

/** The filter as a predicate at this instant; everything that does not depend on the charger is computed once, here. */
export function filterTest(filter: ChargerFilter, nowMs: number): Test {
  // Cheapest first: most chargers are rejected before the slower tests run.
  const tests = [
    flagTest(filter, nowMs),
    fitFilterTest(filter.fit),
    powerTest(filter.minKw),
    stateTest(filter.states, nowMs),
    countryTest(filter.countries),
    currentTest(filter.current),
    valueTest(filter.connectors, 'connectors'),
    valueTest(filter.aircraft, 'aircraft'),
    valueTest(filter.payment, 'payment'),
    searchTest(filter.search),
    filter.openNow ? openTest(nowMs) : null,
  ].filter((test) => test !== null)
  return (prepared) => {
    for (const test of tests) if (!test(prepared)) return false
    return true
  }
}

function flagTest({ freeNow, favouritesOnly }: ChargerFilter, nowMs: number): Test | null {
  if (!freeNow && !favouritesOnly) return null
  return (one) => (!freeNow || liveStatusOf(one, nowMs).freeNow) && (!favouritesOnly || one.favourite)
}

function fitFilterTest(fit: readonly Fit[]): Test | null {
  return fit.length === 0 ? null : (one) => one.fit === null || fit.includes(one.fit.fit)
}

function searchTest(search: string): Test | null {
  const words = fold(search).split(' ').filter(Boolean)
  if (words.length === 0) return null
  const wordsIn = memoise((kind) => words.map((word) => kind.includes(word)))
  return ({ code, names, kind }) => {
    const found = wordsIn(kind)
    return words.every((word, at) => found[at] === true || names.includes(word) || codeWords(code).includes(word))
  }
}

function valueTest(values: readonly string[], of: 'connectors' | 'aircraft' | 'payment'): Test | null {
  const wanted = new Set(values.map(facetKey).filter((key) => key !== null))
  const isWanted = ({ key }: FacetText) => wanted.has(key)
  return wanted.size === 0 ? null : (prepared) => prepared[of].some(isWanted)
}

function countryTest(countries: readonly string[]): Test | null {
  const wanted = new Set(countries.map((code) => code.toUpperCase()))
  return wanted.size === 0 ? null : ({ country }) => wanted.has(country ?? NO_COUNTRY)
}

function powerTest(minKw: number | null): Test | null {
  return minKw === null || !(minKw > 0) ? null : ({ power }) => power !== null && power.kw >= minKw
}

function currentTest(current: readonly Current[]): Test | null {
  return current.length === 0 ? null : ({ currents }) => currents.some((one) => current.includes(one))
}

function stateTest(states: readonly LiveClass[], nowMs: number): Test | null {
  return states.length === 0 ? null : (one) => states.includes(liveStatusOf(one, nowMs).liveClass)
}

function openTest(nowMs: number): Test {
  const daysIn = memoise((zone) => zoneDays(zone, nowMs))
  return ({ openAllWeek, zone, week }) => {
    if (openAllWeek) return true
    const days = zone === null ? null : daysIn(zone)
    return days !== null && isOpenOn(week, days, nowMs)
  }
}
