import { describe, expect, it } from 'vitest'
import { entryOf } from '../../src/main/core/aircraft-entries.ts'
import { readAircraft } from '../../src/main/core/read-aircraft.ts'
import { AppError } from '../../src/shared/sentences/errors.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import type { KeptAircraft } from '../../src/shared/settings/settings.ts'

const KEPT: KeptAircraft = {
  id: 'a1',
  name: 'D-EHGR',
  connectors: ['GB/T DC'],
  types: [],
  rangeNm: 75,
  reserve: { value: 30, unit: 'min' },
  speedKt: 90,
  usableKwh: 22,
  maxKw: 20,
}

const file = (aircraft: unknown) => Buffer.from(JSON.stringify({ recipe: { odd: 1 }, chargers: { aircraft } }))
const read = (bytes: Uint8Array, kept: readonly KeptAircraft[] = [KEPT]) => readAircraft(bytes, kept)
const refused = (bytes: Uint8Array) => {
  try {
    read(bytes)
  } catch (error) {
    return error instanceof AppError ? error.message : error
  }
  return null
}

describe('aircraft in a file', () => {
  it('change those of the same name where the file says something, are new else, and leave the others', () => {
    const other = { ...KEPT, id: 'a2', name: 'Other' }
    const entries = [
      { name: 'd-ehgr', rangeNm: 80 },
      { name: 'Neu', rangeNm: 150, types: ['Neu 1'] },
    ]
    const { aircraft, problems } = read(file(entries), [KEPT, other])
    expect(problems).toEqual([])
    expect(aircraft).toEqual([
      { ...KEPT, name: 'd-ehgr', rangeNm: 80 },
      other,
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        name: 'Neu',
        connectors: [],
        types: ['Neu 1'],
        rangeNm: 150,
        reserve: { value: 0, unit: 'nm' },
        speedKt: null,
        usableKwh: null,
        maxKw: null,
      },
    ])
    // Read again, it changes nothing.
    expect(read(file(entries), aircraft).aircraft).toEqual(aircraft)
  })

  it('come back as they left, with a mark or in UTF-16 too', () => {
    const text = JSON.stringify({ chargers: { aircraft: [entryOf(KEPT)] } })
    for (const bytes of [Buffer.from(`\ufeff${text}`), Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      expect(read(bytes)).toEqual({ aircraft: [KEPT], problems: [] })
      const [{ id: _, ...anew }] = read(bytes, []).aircraft as [KeptAircraft]
      expect(anew).toEqual(entryOf(KEPT))
    }
  })

  it('are refused as a whole, each problem with its place', () => {
    const bad = [
      { name: 'A', rangeNm: 0, kw: 3, reserve: { value: 1, unit: 'km', per: 2 } },
      { name: '  ', rangeNm: 9e9, speedKt: -1, connectors: Array(11).fill('x') },
      { rangeNm: '75', ['odd\u202ename']: 1 },
    ]
    const { aircraft, problems } = read(file(bad))
    expect(aircraft).toEqual([KEPT])
    expect(Object.fromEntries(problems.map(({ path, why }) => [path, englishText(why)]))).toEqual({
      'chargers.aircraft[0].rangeNm': 'at least 1',
      'chargers.aircraft[0].kw': 'there is no such member',
      'chargers.aircraft[0].reserve.unit': 'missing, or in the wrong form',
      'chargers.aircraft[0].reserve.per': 'there is no such member',
      'chargers.aircraft[1].name': 'at least 1',
      'chargers.aircraft[1].rangeNm': 'at most 5,000',
      'chargers.aircraft[1].speedKt': 'missing, or in the wrong form',
      'chargers.aircraft[1].connectors': 'at most 10',
      'chargers.aircraft[2].name': 'missing, or in the wrong form',
      'chargers.aircraft[2].rangeNm': 'missing, or in the wrong form',
      'chargers.aircraft[2]["odd\u202ename"]': 'there is no such member',
    })
    const twice = read(file([{ name: 'A', rangeNm: 9 }, { name: 'a' }, { name: 'B' }]), []).problems
    expect(twice.map(({ path, why }) => [path, englishText(why)])).toEqual([
      ['chargers.aircraft[1].name', '“a” is in the file twice. Leave one of them out.'],
      ['chargers.aircraft[2].rangeNm', 'This is missing: a new aircraft needs a range, in nautical miles.'],
    ])
    const many = Array.from({ length: 50 }, (_, n) => ({ name: `N${n}`, rangeNm: 9 }))
    expect(read(file(many), []).problems).toEqual([])
    expect(read(file(many)).problems.map(({ why }) => englishText(why))).toEqual([
      'There is room for 50 aircraft, and these would make 51. Remove some first.',
    ])
    expect(read(file([...many, { name: 'A', rangeNm: 9 }])).problems).toMatchObject([{ path: 'chargers.aircraft' }])
  })

  it('are not looked for in what is no configuration', () => {
    expect(refused(Buffer.from('name,lat,lon'))).toMatch(
      /^The file cannot be read \(This is not JSON: .*It should be JSON/,
    )
    expect(refused(Buffer.from([0x7b, 0x22, 0xe4, 0x22]))).toContain('neither UTF-8 nor UTF-16')
    for (const text of ['{}', '[]', 'null', '{"chargers":1}', '{"chargers":{}}', '{"chargers":{"aircraft":[]}}'])
      expect(refused(Buffer.from(text)), text).toMatch(/^There is no aircraft in this file/)
    const deep = `{"chargers":{"aircraft":${'['.repeat(5000)}${']'.repeat(5000)}}}`
    expect(read(Buffer.from(deep)).problems).toHaveLength(1)
  })
})
