import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distanceNm } from '../../../src/shared/chargers/distance.ts'
import { prepare } from '../../../src/shared/chargers/prepare.ts'
import { sortChargers, type ChargerOrder } from '../../../src/shared/chargers/sort.ts'
import { anyCharger, charger } from './any-charger.ts'

const place = (lat: number, lng: number) => ({ location: { lat, lng, source: null } })
const ids = (order: ChargerOrder, members: Parameters<typeof charger>[0][]) => {
  const list = members.map((one, at) => prepare(charger({ id: at + 1, ...one }), () => 'UTC'))
  return sortChargers(list, order).map((one) => one.charger.id)
}

describe('sortChargers', () => {
  it('puts the nearest first and what has no place last', () => {
    const from = { lat: 0, lng: 179 }
    expect(ids({ by: 'distance', from }, [{ location: null }, place(0, 170), place(0, -179), place(0, 179)])).toEqual([
      4, 3, 2, 1,
    ])
    expect(ids({ by: 'distance', from: { lat: NaN, lng: 0 } }, [place(5, 5), place(0, 0)])).toEqual([1, 2])
  })

  it('puts the strongest outlet first', () => {
    expect(ids({ by: 'power' }, [{ kw: null }, { kw: '22' }, { kw: '150 kW' }, { kw: '4x11' }, { kw: '?' }])).toEqual([
      3, 2, 4, 1, 5,
    ])
  })

  it('orders by name without regard to accents and case, nameless ones by code', () => {
    const names = [
      { airfield: 'Örebro' },
      { airfield: 'aachen' },
      { airfield: null, icao: null },
      { airfield: '', icao: 'LOWI' },
    ]
    expect(ids({ by: 'airfield' }, names)).toEqual([2, 4, 1, 3])
  })

  it('keeps every charger, leaves the given list alone, and agrees with the distance', () => {
    const from = { lat: 47, lng: 11 }
    fc.assert(
      fc.property(fc.array(anyCharger, { maxLength: 12 }), (chargers) => {
        const list = chargers.map((one) => prepare(one, () => 'UTC'))
        const before = [...list]
        for (const order of [{ by: 'power' }, { by: 'airfield' }] as const)
          expect(new Set(sortChargers(list, order))).toEqual(new Set(list))
        const away = sortChargers(list, { by: 'distance', from }).map(
          ({ charger: { location } }) => distanceNm(from, location) ?? Infinity,
        )
        for (let at = 1; at < away.length; at += 1)
          expect(away[at]! >= away[at - 1]! - 1e-3 || away[at] === away[at - 1]).toBe(true)
        expect(list).toEqual(before)
      }),
    )
  })
})
