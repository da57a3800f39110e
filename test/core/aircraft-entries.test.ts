import { expect, it } from 'vitest'
import { AircraftEntry, entryOf, withEntries } from '../../src/main/core/aircraft-entries.ts'
import { MAX_AIRCRAFT } from '../../src/shared/chargers/route/aircraft.ts'

const entry = (given: object) => AircraftEntry.parse(given)
const { aircraft: saved } = withEntries([], [entry({ name: 'Alpha', rangeNm: 100, speedKt: 90 })])

it('an aircraft is known by its name, whose case does not count: what is not given stays', () => {
  const { aircraft, problems } = withEntries(saved, [entry({ name: 'ALPHA', rangeNm: 120 })])
  expect(problems).toEqual([])
  expect(aircraft).toMatchObject([{ id: saved[0]!.id, name: 'ALPHA', rangeNm: 120, speedKt: 90 }])
})

it('a new aircraft comes last, without a reserve, and with the same id each time', () => {
  const add = () => withEntries(saved, [entry({ name: 'Beta', rangeNm: 80 })]).aircraft
  expect(add()).toMatchObject([{ name: 'Alpha' }, { name: 'Beta', reserve: { value: 0, unit: 'nm' }, maxKw: null }])
  expect(add()).toEqual(add())
  expect(entryOf(add()[1]!)).not.toHaveProperty('id')
})

it('what cannot be taken is told at its place: no range, a name twice, and too many', () => {
  const wrong = withEntries(saved, [entry({ name: 'Gamma' }), entry({ name: 'alpha' }), entry({ name: 'Alpha' })])
  expect(wrong.problems).toMatchObject([
    { path: [0, 'rangeNm'], why: { code: 'aircraft_needs_range' } },
    { path: [2, 'name'], why: { code: 'aircraft_twice' } },
  ])
  const many = Array.from({ length: MAX_AIRCRAFT }, (_, n) => entry({ name: `Many ${n}`, rangeNm: 50 }))
  expect(withEntries(saved, many).problems).toMatchObject([{ path: [], why: { code: 'list_full' } }])
})
