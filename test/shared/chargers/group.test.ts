import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChargePoint } from '../../../src/shared/chargers/charger.ts'
import { distanceNm } from '../../../src/shared/chargers/distance.ts'
import { groupChargers } from '../../../src/shared/chargers/group.ts'
import { prepare } from '../../../src/shared/chargers/prepare.ts'
import { anyCharger, charger, placeAway } from './any-charger.ts'

const HOME = { lat: 47.26, lng: 11.34 }
const at = (id: number, icao: string | null, metresAway: number | null, bearing = 90): ChargePoint =>
  charger({
    id,
    icao,
    airfield: icao === null ? null : 'Innsbruck',
    location: metresAway === null ? null : { ...placeAway(HOME, bearing, metresAway), source: 'arp' },
  })
const sitesOf = (chargers: readonly ChargePoint[]) => {
  const sites = groupChargers(chargers.map((one) => prepare(one, () => 'UTC')))
  return sites.map((site) => ({ ...site, ids: site.members.map((one) => one.charger.id) }))
}
const groups = (...chargers: ChargePoint[]) => sitesOf(chargers).map(({ ids }) => ids.join(' '))

describe('groupChargers', () => {
  it('joins chargers with one code, and strangers within 50 metres', () => {
    expect(groups(at(1, 'LOWI', 0), at(2, ' lowi ', 3000), at(3, 'LOWK', 200))).toEqual(['1 2', '3'])
    expect(groups(at(1, 'LOWI', 0), at(2, null, 49), at(3, null, 151))).toEqual(['1 2', '3'])
    expect(groups(at(1, null, 0), at(2, null, 40), at(3, null, 80))).toEqual(['1 2 3'])
    expect(groups(at(1, null, 0), at(2, null, 51))).toEqual(['1', '2'])
    const named = [at(1, null, 0), at(2, null, 3000)].map((one) => ({ ...one, airfield: 'Inns Valley' }))
    expect(groups(...named)).toEqual(['1 2'])
  })

  it('does not believe one code at places far apart', () => {
    expect(groups(at(1, 'LOWI', 0), at(2, 'LOWI', 500_000), at(3, 'LOWI', 100))).toEqual(['1 3', '2'])
    expect(groups(at(9, 'LOWI', null), at(1, 'LOWI', 0), at(2, 'LOWI', 500_000))).toEqual(['9 1', '2'])
  })

  it('joins chargers without a place by their code, and keeps apart those without both', () => {
    const expected = ['1 2', '3', '4']
    expect(groups(at(1, 'LOWI', null), at(2, 'LOWI', 0), at(3, null, null), at(4, null, null))).toEqual(expected)
    expect(groups(at(1, 'LOWI', null), at(2, 'LOWI', null))).toEqual(['1 2'])
    const nameless = (id: number) => ({ ...at(id, ' ', null), airfield: ' ' })
    expect(groups(nameless(1), nameless(2))).toEqual(['1', '2'])
  })

  it('finds neighbours across the antimeridian and at the poles', () => {
    const here = (id: number, lat: number, lng: number) =>
      charger({ id, icao: null, location: { lat, lng, source: null } })
    expect(groups(here(1, 0, 179.9999), here(2, 0, -179.9999), here(3, 0, 180))).toEqual(['1 2 3'])
    expect(groups(here(1, 90, 0), here(2, 89.9999, 120), here(3, 89.9999, -120))).toEqual(['1 2 3'])
    expect(groups(here(1, -90, 0), here(2, -89.9999, 77))).toEqual(['1 2'])
  })

  it('stands where an operator marked a charger, else at the airfield', () => {
    const marked = charger({ id: 5, airfield: null })
    const [group] = sitesOf([at(7, 'LOWI', 0), marked])
    expect(group).toMatchObject({ key: '5', icao: 'LOWI', airfield: 'Innsbruck', at: { lat: marked.location!.lat } })
    expect(sitesOf([at(1, 'LOWI', null)])[0]?.at).toBeNull()
  })

  it('puts each charger into one group and every two neighbours together', () => {
    const metres = fc.integer({ min: 0, max: 300 })
    const near = fc.tuple(metres, fc.integer({ min: 0, max: 359 }))
    fc.assert(
      fc.property(
        fc.array(near, { maxLength: 25 }),
        fc.constantFrom(0, 47, 89.9985, -90),
        fc.constantFrom(0, 180),
        (places, lat, lng) => {
          const chargers = places.map(([away, bearing], id) =>
            charger({ id, icao: null, location: { ...placeAway({ lat, lng }, bearing, away), source: null } }),
          )
          const all = sitesOf(chargers)
          expect(all.flatMap(({ ids }) => ids).sort((a, b) => a - b)).toEqual(chargers.map(({ id }) => id))
          const groupOf = new Map(all.flatMap(({ ids, key }) => ids.map((id) => [id, key] as const)))
          for (const one of chargers)
            for (const other of chargers)
              if (distanceNm(one.location, other.location)! < 0.027 - 1e-9)
                expect(groupOf.get(one.id)).toBe(groupOf.get(other.id))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('never throws and loses none', () => {
    const idsOf = (chargers: readonly ChargePoint[]) => sitesOf(chargers).flatMap(({ ids }) => ids)
    fc.assert(fc.property(fc.array(anyCharger), (chargers) => idsOf(chargers).length === chargers.length))
  })
})
