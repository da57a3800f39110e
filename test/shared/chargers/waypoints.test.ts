import { describe, expect, it } from 'vitest'
import { readWaypoints } from '../../../src/main/core/read-waypoints.ts'
import { chargerFile } from '../../../src/shared/chargers/exports/charger-files.ts'
import { chargersAt } from '../../../src/shared/chargers/waypoints.ts'
import { charger } from './any-charger.ts'

const at = (id: number, lat: number, lng: number, more: Parameters<typeof charger>[0] = {}) =>
  charger({ id, icao: 'EDAZ', airfield: 'Schönhagen', location: { lat, lng, source: 'charge_point' }, ...more })

/** Three at one airfield, two of them a few metres apart; one beside the 180th meridian; one elsewhere. */
const CHARGERS = [
  at(1, 52.2036, 13.1564),
  at(2, 52.2036, 13.1564),
  at(3, 52.2041, 13.158),
  at(4, -17.5, 179.9999, { icao: 'NFNK', airfield: null }),
  at(5, 48.1, 16.5, { icao: null, airfield: '"]]>&amp; {braces}' }),
  charger({ id: 6, location: null }),
]
const OPTIONS = { sample: false, nowMs: 0 }
const ids = (chargers: readonly { id: number }[]) => chargers.map(({ id }) => id)
const waypoint = (name: string, lat: number, lng: number, note = '') => ({ name, lat, lng, note })

describe('The chargers that waypoints mean', () => {
  it.each(['gpx', 'cup'] as const)('are those that Hangar wrote as %s, one of several at an airfield too', (format) => {
    for (const wanted of [[2], [1, 3], [4, 5], [1, 2, 3, 4, 5]]) {
      const chosen = CHARGERS.filter(({ id }) => wanted.includes(id))
      for (const sample of [true, false]) {
        const { places: read } = readWaypoints(Buffer.from(chargerFile(format, chosen, { ...OPTIONS, sample })))
        const found = chargersAt(read, CHARGERS)
        expect(ids(found.chargers)).toEqual(wanted)
        expect(found.unknown).toEqual([])
      }
    }
  })

  it('are all within a mile in a file of another program, and for an id of another service', () => {
    expect(ids(chargersAt([waypoint('EDAZ', 52.203, 13.157)], CHARGERS).chargers)).toEqual([1, 2, 3])
    expect(ids(chargersAt([waypoint('EDAZ', 52.203, 13.157, 'DC. Charger 5')], CHARGERS).chargers)).toEqual([1, 2, 3])
    expect(ids(chargersAt([waypoint('across', -17.5, -179.9999)], CHARGERS).chargers)).toEqual([4])
    const beside = 52.2041 + 1.02 / 60
    expect(chargersAt([waypoint('too far', beside, 13.1564)], CHARGERS)).toEqual({ chargers: [], unknown: ['too far'] })
  })

  it('are each found once, in the order of the waypoints', () => {
    const twice = [waypoint('b', 48.1, 16.5), waypoint('a', 52.2036, 13.1564, 'Charger 2'), waypoint('c', 48.1, 16.5)]
    expect(ids(chargersAt(twice, CHARGERS).chargers)).toEqual([5, 2])
  })
})
