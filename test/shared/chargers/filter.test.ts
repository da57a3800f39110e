import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChargePoint } from '../../../src/shared/chargers/charger.ts'
import { facet, NO_FILTER, filterTest, type ChargerFilter } from '../../../src/shared/chargers/filter.ts'
import { prepare } from '../../../src/shared/chargers/prepare.ts'
import { CLOSED, anyCharger, charger, hours, weekOf } from './any-charger.ts'

const MONDAY_NOON_UTC = Date.parse('2026-03-02T12:00:00Z')
const prepared = (members: Partial<ChargePoint> = {}, favourites: number[] = []) => {
  const one = charger({ liveStateSyncedAt: '2026-03-02T11:50:00Z', ...members })
  return { ...prepare(one, () => 'Europe/Vienna'), favourite: favourites.includes(one.id) }
}
const passes = (filter: Partial<ChargerFilter>, members: Partial<ChargePoint> = {}, favourites: number[] = []) =>
  filterTest({ ...NO_FILTER, ...filter }, MONDAY_NOON_UTC)(prepared(members, favourites))

describe('A filter', () => {
  it('lets everything through when nothing is asked', () => {
    fc.assert(fc.property(anyCharger, (one) => filterTest(NO_FILTER, MONDAY_NOON_UTC)(prepare(one, () => 'UTC'))))
  })

  it('searches all words in code, airfield, maker, type, connectors, aircraft and payment', () => {
    for (const search of ['lowi', 'INNS', 'volt sample', 'ccs2', 'velis free', 'dc inns', '  ', '…'])
      expect(passes({ search }), search).toBe(true)
    expect(passes({ search: 'lowi bonn' })).toBe(false)
    expect(passes({ search: 'koeln' }, { airfield: 'Köln' })).toBe(true)
  })

  it('takes any spelling of connectors and payment, and one of several is enough', () => {
    expect(passes({ connectors: ['ccs 2'] })).toBe(true)
    expect(passes({ connectors: ['Type 2', 'CCS-2'] })).toBe(true)
    expect(passes({ connectors: ['Type 2'] })).toBe(false)
    expect(passes({ connectors: ['ccs2'], payment: ['FREE'] })).toBe(true)
    expect(passes({ connectors: ['ccs2'], payment: ['App'] })).toBe(false)
    expect(passes({ payment: ['Free'] }, { paymentTypes: [] })).toBe(false)
  })

  it('tells AC from DC, and power of one outlet', () => {
    expect([passes({ current: ['DC'] }), passes({ current: ['AC'] })]).toEqual([true, false])
    const ofType = (type: string | null) => passes({ current: ['AC'] }, { type })
    expect([ofType('AC/DC'), ofType(null)]).toEqual([true, false])
    expect([passes({ minKw: 50 }), passes({ minKw: 51 })]).toEqual([true, false])
    expect([passes({ minKw: 30 }, { kw: '2x22' }), passes({ minKw: 1 }, { kw: null })]).toEqual([false, false])
    expect([passes({ minKw: 0 }, { kw: null }), passes({ minKw: NaN }, { kw: null })]).toEqual([true, true])
  })

  it('tells what is free now', () => {
    expect([passes({ freeNow: true }), passes({ freeNow: true }, { liveState: 'busy' })]).toEqual([true, false])
    expect(passes({ freeNow: true }, { liveState: null, available: true })).toBe(true)
  })

  it('tells what is open now by the zone of the place', () => {
    expect(passes({ openNow: true })).toBe(true)
    // 13:00 in Vienna.
    expect(passes({ openNow: true }, { availability: weekOf(hours('08:00', '12:30')) })).toBe(false)
    expect(passes({ openNow: true }, { availability: weekOf(CLOSED) })).toBe(false)
    expect(passes({ openNow: true }, { location: null })).toBe(false)
    expect(passes({ openNow: true }, { location: null, availability: weekOf(hours('00:00', '00:00')) })).toBe(true)
  })

  it('tells favourites', () => {
    const among = (favourites: number[]) => passes({ favouritesOnly: true }, {}, favourites)
    expect([among([1]), among([2])]).toEqual([true, false])
  })
})

it('prepare has no zone where none is known', () => {
  const nowhere = () => {
    throw new Error('invalid coordinates')
  }
  expect(prepare(charger({ icao: 'X0001' }), nowhere)).toMatchObject({ zone: null })
  expect(prepared({ location: null })).toMatchObject({ zone: null, vector: null })
})

describe('facets', () => {
  it('counts spellings of one thing together under the commonest, the commonest thing first', () => {
    const list = [
      prepared({ id: 1, connectors: ['CCS2', 'ccs 2'] }),
      prepared({ id: 2, connectors: ['ccs 2', 'Type 2'] }),
      prepared({ id: 3, connectors: [' CCS2 ', ''] }),
    ]
    expect(facet('connectors', list)).toEqual([
      { key: 'ccs2', label: 'CCS2', count: 3 },
      { key: 'type2', label: 'Type 2', count: 1 },
    ])
  })

  it('name values by which a filter finds exactly as many chargers as they count', () => {
    fc.assert(
      fc.property(fc.array(anyCharger, { maxLength: 10 }), (chargers) => {
        const list = chargers.map((one) => prepare(one, () => 'UTC'))
        for (const member of ['connectors', 'payment'] as const)
          for (const { key, count } of facet(member, list)) {
            const filter = { ...NO_FILTER, [member]: [key] }
            expect(list.filter(filterTest(filter, MONDAY_NOON_UTC)), `${member} ${key}`).toHaveLength(count)
          }
      }),
    )
  })
})
