import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fragmentOf, PLACE_ONLY, readFragment, type Address } from '../../../src/renderer/store/address.ts'
import { CHIPS, NO_FILTER, requestedFilter, STATE_CHIPS } from '../../../src/renderer/store/jobs-filter.ts'
import { JobFilter } from '../../../src/shared/contract/jobs.ts'
import type { RoutePlan } from '../../../src/shared/chargers/route/route-plan.ts'
import { RESERVE_UNITS } from '../../../src/shared/chargers/route/aircraft.ts'
import { NO_FILTER as NOTHING_FILTERED } from '../../../src/shared/chargers/filter.ts'
import { filterInQuery, queryOfFilter } from '../../../src/renderer/places/chargers/store/filter-query.ts'
import { CREDIT_DAYS } from '../../../src/renderer/store/view-store.ts'
import { PLACES } from '../../../src/shared/presentation/shortcuts.ts'

const name = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const nameOrNone = fc.option(name)
const idOrNone = fc.option(fc.string({ minLength: 1, maxLength: 40 }))
const filter = fc
  .record({
    chip: fc.constantFrom('all' as const, 'review' as const, 'removed' as const, ...STATE_CHIPS),
    states: fc.option(fc.subarray(Object.values(CHIPS).flat(), { minLength: 1 })),
    search: fc.string({ maxLength: 40, unit: 'grapheme' }),
    folderId: idOrNone,
    batchId: idOrNone,
  })
  .map((given) => (given.states === null ? given : { ...given, chip: 'all' as const }))
const charger = fc.oneof(
  fc.record({ kind: fc.constant('charger' as const), id: fc.nat(), fromSite: fc.constant(null) }),
  fc.record({ kind: fc.constant('site' as const), key: name }),
)
const place = fc.record({
  name,
  place: fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }).map((value) => value + 0),
    lng: fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value + 0),
  }),
})
const figure = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const names = fc.array(
  fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text === text.trim()),
  { maxLength: 3 },
)
const route: fc.Arbitrary<RoutePlan> = fc.record({
  from: fc.option(place),
  via: fc.array(place, { maxLength: 8 }),
  to: fc.option(place),
  aircraft: fc.record({
    connectors: names,
    types: names,
    rangeNm: figure(1, 5000),
    reserve: fc.record({
      value: fc.integer({ min: 0, max: 5_000_000 }).map((value) => value / 1000),
      unit: fc.constantFrom(...RESERVE_UNITS),
    }),
    speedKt: fc.option(figure(10, 1000)),
    usableKwh: fc.option(figure(0.1, 1000)),
    maxKw: fc.option(figure(0.1, 1000)),
  }),
  prefer: fc.constantFrom('stops' as const, 'distance' as const, 'time' as const),
  takeFitNotKnown: fc.boolean(),
  departMs: fc.option(fc.integer({ min: 0, max: 66_000_000 }).map((minutes) => minutes * 60_000)),
  groundMinutes: fc.integer({ min: 0, max: 1440 }),
  wind: fc.option(
    fc.record({
      fromDegrees: fc.integer({ min: 0, max: 359 }),
      knots: fc.integer({ min: 0, max: 9999 }).map((tenths) => tenths / 10),
    }),
  ),
  startPercent: fc.oneof(fc.constant(100), figure(0, 100)),
})
const values = fc.uniqueArray(name, { maxLength: 3 })
const chargerFilter = fc.record({
  connectors: values,
  payment: values,
  current: fc.subarray(['AC', 'DC'] as const),
  fitting: fc.boolean(),
  minKw: fc.option(figure(0.1, 10_000)),
  freeNow: fc.boolean(),
  openNow: fc.boolean(),
  favouritesOnly: fc.boolean(),
  search: fc.string({ maxLength: 40, unit: 'grapheme' }),
})
const addresses: fc.Arbitrary<Address> = fc.constantFrom(...PLACES).chain((place) =>
  fc.record({
    place: fc.constant(place),
    openJob: place === 'jobs' ? nameOrNone : fc.constant(null),
    filter: place === 'jobs' ? filter : fc.constant(NO_FILTER),
    folder: place === 'folders' ? nameOrNone : fc.constant(null),
    charger: place === 'chargers' ? fc.option(charger) : fc.constant(null),
    chargerFilter:
      place === 'chargers' ? chargerFilter.map((given) => queryOfFilter(given) || null) : fc.constant(null),
    days: place === 'credits' ? fc.constantFrom(...CREDIT_DAYS) : fc.constant(30 as const),
    route: place === 'chargers' ? fc.option(route) : fc.constant(null),
    section: place === 'settings' ? nameOrNone : fc.constant(null),
  }),
)

describe('The address of what the window shows', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(readFragment(fragmentOf(address))).toEqual(address)
      }),
    )
  })

  it('has each filter of the chargers', () => {
    fc.assert(
      fc.property(chargerFilter, (given) => {
        expect(filterInQuery(queryOfFilter(given))).toEqual(given)
      }),
    )
  })

  it('leaves out of a filter what means nothing', () => {
    expect(filterInQuery('plug=CCS&plug=&min=x&current=XC&current=DC&country=DE')).toEqual({
      ...NOTHING_FILTERED,
      connectors: ['CCS'],
      current: ['DC'],
    })
    expect(filterInQuery('')).toEqual(NOTHING_FILTERED)
  })

  it('is plain to read', () => {
    const at = (part: Partial<Address>) => fragmentOf({ ...PLACE_ONLY, place: 'jobs', ...part })
    expect(at({})).toBe('#/jobs')
    expect(at({ openJob: 'j1', filter: { ...NO_FILTER, chip: 'failed' } })).toBe('#/jobs/j1?show=failed')
    expect(at({ place: 'settings', section: 'recipes' })).toBe('#/settings/recipes')
    expect(at({ place: 'chargers', charger: { kind: 'site', key: 'EDNY' } })).toBe('#/chargers/at/EDNY')
    expect(at({ place: 'chargers', chargerFilter: 'show=free&plug=CCS' })).toBe('#/chargers?show=free&plug=CCS')
    expect(at({ place: 'credits', days: 90 })).toBe('#/credits?days=90')
  })

  it('holds nothing of other places', () => {
    const elsewhere = { openJob: 'j1', filter: { ...NO_FILTER, search: 'beach' }, section: 'data' }
    expect(fragmentOf({ ...PLACE_ONLY, ...elsewhere, place: 'credits' })).toBe('#/credits')
  })

  it.each([
    ['', null],
    ['#link=abc', null],
    ['#/nowhere', null],
    [
      '#/jobs?show=nothing&states=flying.done',
      { ...PLACE_ONLY, place: 'jobs', filter: { ...NO_FILTER, states: ['done'] } },
    ],
    ['#/chargers/7e3', { ...PLACE_ONLY, place: 'chargers' }],
    ['#/settings/%E0%A4%A', { ...PLACE_ONLY, place: 'settings' }],
    ...['constructor', '__proto__', 'toString', 'hasOwnProperty'].map(
      (name) => [`#/jobs?show=${name}`, { ...PLACE_ONLY, place: 'jobs' }] as [string, Address],
    ),
  ])('leaves out what it cannot read: %s', (fragment, address) => {
    expect(readFragment(fragment)).toEqual(address)
  })

  it('asks for nothing that the contract refuses, whatever a link says', () => {
    const word = fc.oneof(
      fc.constantFrom('constructor', '__proto__', 'all', 'done', 'done.constructor', '\0', '\ud800', '\u202e'),
      fc.string({ unit: 'grapheme', maxLength: 900 }),
      fc.string({ minLength: 41, maxLength: 600 }),
    )
    const query = fc.dictionary(fc.constantFrom('show', 'states', 'folder', 'batch', 'search'), word)
    fc.assert(
      fc.property(query, (given) => {
        const { filter } = readFragment(`#/jobs?${new URLSearchParams(given).toString()}`)!
        expect(JobFilter.safeParse(requestedFilter(filter)).error).toBeUndefined()
      }),
    )
  })
})
