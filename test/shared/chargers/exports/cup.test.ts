import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargerFile } from '../../../../src/shared/chargers/exports/charger-files.ts'
import { cupFile } from '../../../../src/shared/chargers/exports/cup.ts'
import { anyCharger, charger, NOW_MS } from '../any-charger.ts'

const REAL = { sample: false, nowMs: NOW_MS }
const HEAD = 'name,code,country,lat,lon,elev,style,rwdir,rwlen,freq,desc'
/** A record as the format describes it; nothing in quotation marks ends them. */
const RECORD =
  /^"([^"\r\n]+)","([^"\r\n]*)",,(\d\d)([0-5]\d\.\d{3})([NS]),(\d{3})([0-5]\d\.\d{3})([EW]),,1,,,,"([^"\r\n]+)"$/

function read(file: string) {
  const [head, ...lines] = file.split('\r\n')
  expect([head, lines.pop()]).toEqual([HEAD, ''])
  return lines.map((line) => {
    const fields = RECORD.exec(line)
    if (fields === null) throw new Error(`not a record: ${line}`)
    const [, name, code, lat, latMinutes, north, lng, lngMinutes, east, description] = fields
    return {
      name,
      code,
      lat: (Number(lat) + Number(latMinutes) / 60) * (north === 'S' ? -1 : 1),
      lng: (Number(lng) + Number(lngMinutes) / 60) * (east === 'W' ? -1 : 1),
      description,
    }
  })
}

const point = (name: string, lat: number, lng: number) => ({ name, icao: null, place: { lat, lng }, description: 'x' })

describe('Chargers as CUP', () => {
  it('has a waypoint for each charger with a place, and leaves empty what is not known', () => {
    expect(chargerFile('cup', [charger(), charger({ id: 2, location: null })], REAL)).toBe(
      `${HEAD}\r\n"LOWI Innsbruck","LOWI",,4715.730N,01120.640E,,1,,,,"DC. 50 kW. CCS2. Available. Payment: Free. Mo-Su 08:00-18:00. Charger 1"\r\n`,
    )
  })

  it('marks sample data in each description', () => {
    const [record] = read(chargerFile('cup', [charger()], { ...REAL, sample: true }))
    expect(record!.description).toMatch(/^Sample data, not for navigation\. DC/)
  })

  it('loses none of two that are alike', () => {
    const alike = [charger({ icao: null, airfield: 'A"' }), charger({ id: 2, icao: null, airfield: "A'" })]
    expect(read(chargerFile('cup', alike, REAL)).map(({ name }) => name)).toEqual(["A'", "A' [2]"])
  })

  it('can be read whatever the service says, with unique names', () => {
    fc.assert(
      fc.property(fc.array(anyCharger, { maxLength: 6 }), fc.boolean(), (chargers, sample) => {
        const records = read(chargerFile('cup', chargers, { sample, nowMs: NOW_MS }))
        const placed = chargers.filter(({ location }) => location !== null)
        expect(records).toHaveLength(placed.length)
        records.forEach(({ lat, lng }, at) => {
          expect(Math.abs(lat - placed[at]!.location!.lat)).toBeLessThan(1e-5)
          expect(Math.abs(lng - placed[at]!.location!.lng)).toBeLessThan(1e-5)
        })
        expect(new Set(records.map(({ name }) => name)).size).toBe(records.length)
      }),
    )
  })
})

it('A task of a SeeYou file goes through all points in order, and names a place that is passed twice once', () => {
  const points = [point('A "1"', 50, 8), point('B', 50, 9), point('A "1"', 50, 8), point('B', 51, 9)]
  const lines = cupFile(points, 'Tour').split('\r\n').slice(1)
  const first = lines.map((line) => line.split(',')[0]).join('|')
  expect(first).toBe(`"A '1'"|"B"|"B [2]"|-----Related Tasks-----|"Tour"|`)
  expect(lines.at(-2)).toBe(`"Tour","A '1'","A '1'","B","A '1'","B [2]","B [2]"`)
})
