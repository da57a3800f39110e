import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChargePoint } from '../../../src/shared/chargers/charger.ts'
import { groupChargers } from '../../../src/shared/chargers/group.ts'
import { prepare } from '../../../src/shared/chargers/prepare.ts'
import { searchAirfields, searchIndex } from '../../../src/shared/chargers/search.ts'
import { anyCharger, anyText, charger } from './any-charger.ts'

const FIELDS = [
  ['LJAJ', 'Ajdovščina'],
  ['LJLJ', 'Ljubljana Jože Pučnik'],
  ['EDDK', 'Köln Bonn'],
  ['EDKB', 'Bonn-Hangelar'],
  ['LOWI', 'Innsbruck'],
  ['X0001', 'Low meadow'],
  ['EDAZ', 'Schönhagen'],
  ['EDKA', 'Aachen-Merzbrück'],
] as [string, string][]
const indexOf = (chargers: readonly ChargePoint[]) => {
  const prepared = chargers.map((one) => prepare(one, () => 'UTC'))
  return searchIndex(groupChargers(prepared))
}
const placed = (at: number) => ({ id: at, location: { lat: at, lng: 0, source: null } })
const index = indexOf(FIELDS.map(([icao, airfield], at) => charger({ icao, airfield, ...placed(at) })))
const codes = (query: string, limit?: number) => searchAirfields(index, query, limit).map(({ icao }) => icao)

describe('searchAirfields', () => {
  it('puts the code first, then codes that begin so, then names, then words, then what lies within', () => {
    expect(codes('ljaj')).toEqual(['LJAJ'])
    expect(codes('EDK')).toEqual(['EDKA', 'EDKB'])
    expect(codes('low')).toEqual(['LOWI', 'X0001'])
    expect(codes('bonn')).toEqual(['EDKB', 'EDDK'])
    expect(codes('hangelar')).toEqual(['EDKB'])
    expect(codes('nsbr')).toEqual(['LOWI'])
  })

  it('takes no notice of case, accents and how German letters are written out', () => {
    for (const query of ['AJDOVSCINA', 'ajdovščina', 'ajdovs']) expect(codes(query)).toEqual(['LJAJ'])
    for (const query of ['koln', 'Köln', 'koeln', 'KOELN bonn']) expect(codes(query)).toEqual(['EDDK'])
    expect(codes('schoen')).toEqual(['EDAZ'])
  })

  it('wants every word, in any order, from code and name together', () => {
    expect(codes('pucnik lju')).toEqual(['LJLJ'])
    expect(codes('LJ joze')).toEqual(['LJLJ'])
    expect(codes('joze bonn')).toEqual([])
  })

  it('finds names with an apostrophe and codes with a hyphen as people type them', () => {
    const others = indexOf([
      charger({ id: 1, location: null, icao: 'CYYT', airfield: "St. John's" }),
      charger({ id: 2, location: null, icao: 'LFEY', airfield: "Île d'Yeu" }),
      charger({ id: 3, location: null, icao: 'EDXX-12', airfield: 'Musterfeld' }),
      charger({ id: 4, location: null, icao: 'LDOS', airfield: 'Đakovo' }),
    ])
    const found = (query: string) => searchAirfields(others, query).map(({ icao }) => icao)
    for (const query of ['st johns', "st. john's", 'st john']) expect(found(query)).toEqual(['CYYT'])
    for (const query of ['ile dyeu', "île d'yeu", 'yeu']) expect(found(query)).toEqual(['LFEY'])
    for (const query of ['edxx12', 'EDXX-12', 'edxx 12', 'edxx1']) expect(found(query)).toEqual(['EDXX-12'])
    for (const query of ['djakovo', 'dakovo', 'Đakovo']) expect(found(query)).toEqual(['LDOS'])
  })

  it('finds nothing for nothing, and no more than asked', () => {
    expect([codes(''), codes('  '), codes('…'), codes('e', 0), codes('e', NaN)]).toEqual([[], [], [], [], []])
    expect(codes('e', 2)).toHaveLength(2)
  })

  it('gives an airfield once with all its chargers, and a place as soon as one charger has it', () => {
    const several = [
      charger({ id: 1, location: null }),
      charger({ id: 2 }),
      charger({ id: 3, icao: 'lowi', airfield: 'INNSBRUCK' }),
      charger({ id: 4, icao: null, airfield: null }),
    ]
    const [found, ...others] = searchAirfields(indexOf(several), 'inns')
    expect(others).toEqual([])
    expect(found).toMatchObject({ icao: 'LOWI', members: { length: 4 }, at: { lat: 47.26217 } })
  })

  it('never throws, and finds each airfield by its own code and name', () => {
    fc.assert(
      fc.property(fc.array(anyCharger, { maxLength: 8 }), anyText, (chargers, query) => {
        const all = indexOf(chargers)
        searchAirfields(all, query)
        for (const { icao, airfield, members } of all.map(({ found }) => found)) {
          // Beyond what is typed into a field, the query is cut.
          const own = [icao, airfield].filter((text) => (text ?? '').length < 40).join(' ')
          if (!/[a-z0-9]/i.test(own)) continue
          expect(searchAirfields(all, own, 100).some((found) => found.members === members)).toBe(true)
        }
      }),
    )
  })
})
