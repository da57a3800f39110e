/**
 * At how many airfields of a public list the time zone that Hangar assumes has another offset than the list's own zone: by
 * coordinates alone, and with the country of the ICAO code.
 * Run: HANGAR_AIRFIELDS=LIST node bench/zones/main.ts. `LIST`: the folder of the npm package airport-data-js, unpacked (its code is run), or a JSON
 * file of an array with `icao`, `latitude`, `longitude` and `time`, an IANA zone.
 */
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import process from 'node:process'
import zoneOf from '@photostructure/tz-lookup'
import { countryOf } from '../../src/shared/chargers/countries.ts'
import { isPoint, type Point } from '../../src/shared/chargers/distance.ts'
import { fieldZone } from '../../src/shared/chargers/field-zone.ts'
import { offsetMsAt } from '../../src/shared/chargers/zone-days.ts'

/** Winter and summer, in both hemispheres. */
const TIMES_MS = [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 12)]
const MOST_SHOWN = 5

interface Listed {
  icao: string
  latitude: string | number
  longitude: string | number
  time: string
}

interface AirportData {
  findAirports(filters: Record<never, never>): Promise<Listed[]>
}

async function listed(path: string): Promise<Listed[]> {
  if (!statSync(path).isDirectory()) return JSON.parse(readFileSync(path, 'utf8')) as Listed[]
  const data = createRequire(import.meta.url)(resolve(path)) as AirportData
  return data.findAirports({})
}

const path = process.env.HANGAR_AIRFIELDS
if (path === undefined)
  process.stdout.write(
    'Not measured: `HANGAR_AIRFIELDS` names no list of airfields with their zones, such as `npm pack airport-data-js@3.1.0`, unpacked.\n',
  )
else process.stdout.write(report(await listed(path)))

function report(all: readonly Listed[]): string {
  const airfields = all.flatMap(({ icao, latitude, longitude, time }) => {
    const place: Point = { lat: Number(latitude), lng: Number(longitude) }
    if (!/^[A-Z]{4}$/.test(icao) || !isPoint(place)) return []
    const own = offsetsOf(time)
    return own === null ? [] : [{ icao, place, time, own }]
  })
  const differs = (zone: string | null, own: string) => zone === null || offsetsOf(zone) !== own
  const compared = airfields.map(({ icao, place, time, own }) => {
    const byPlace = fieldZone(place, null, zoneOf)?.name ?? null
    const withCountry = fieldZone(place, countryOf(icao), zoneOf)?.name ?? null
    return { icao, time, withCountry, before: differs(byPlace, own), after: differs(withCountry, own) }
  })
  const count = (of: (one: (typeof compared)[number]) => boolean) => compared.filter(of).length
  const worse = compared.filter(({ before, after }) => after && !before)
  const rows = [
    ['Airfields with a code of four letters and a zone', compared.length],
    ['Another offset in January or July 2026 by coordinates alone', count(({ before }) => before)],
    ['… with the country of the code', count(({ after }) => after)],
    ['Became right', count(({ before, after }) => before && !after)],
    ['Differ since', worse.length],
  ]
  const examples = worse.slice(0, MOST_SHOWN).map(({ icao, time, withCountry }) => `${icao} ${time} → ${withCountry}`)
  return `| zones | airfields |\n| --- | --- |\n${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}\nOf those that differ since: ${examples.join(', ')}.\n`
}

/** Null for a zone that this Node does not know. */
function offsetsOf(zone: string): string | null {
  const offsets = TIMES_MS.map((ms) => offsetMsAt(zone, ms))
  return offsets.includes(null) ? null : offsets.join()
}
