import tzLookup from '@photostructure/tz-lookup'
import { describe, expect, it } from 'vitest'
import type { ChargePoint } from '../../../src/shared/chargers/charger.ts'
import {
  QUALITY_FINDINGS,
  qualityCsv,
  qualityFindings,
  qualityList,
} from '../../../src/shared/chargers/field-quality.ts'
import { prepare } from '../../../src/shared/chargers/prepare.ts'
import { aCharger } from '../../renderer/places/chargers/charger-samples.ts'

const NOW = Date.UTC(2026, 10, 2, 12)
const at = (ms: number) => new Date(ms).toISOString()
const RIGHT: Partial<ChargePoint> = {
  location: { lat: 47.67, lng: 9.51, source: 'charge_point' },
  aircraftTypes: ['Trainer'],
  liveStateSyncedAt: at(NOW - 60_000),
}
const findings = (part: Partial<ChargePoint>) =>
  qualityFindings(prepare(aCharger({ id: 1, ...RIGHT, ...part }), tzLookup, new Set()), NOW)

describe('The quality of what the service says of a charger', () => {
  it('is without findings where everything is there', () => {
    expect(findings({})).toEqual([])
    expect(findings({ liveState: null, liveStateSyncedAt: null })).toEqual([])
  })

  it.each<[Partial<ChargePoint>, readonly string[]]>([
    [{ location: null }, ['no_position']],
    [{ location: { lat: 0, lng: 0, source: 'charge_point' } }, ['position_implausible']],
    [{ location: { lat: 47.67, lng: 9.51, source: 'arp' } }, ['position_of_airfield']],
    [{ location: { lat: 47.67, lng: 9.51, source: null } }, ['position_source_missing']],
    [{ availability: {} as ChargePoint['availability'] }, ['hours_missing']],
    [{ kw: null }, ['power_missing']],
    [{ kw: 'plenty' }, ['power_unreadable']],
    [{ connectors: [], aircraftTypes: [] }, ['connectors_missing', 'aircraft_missing']],
    [{ liveStateSyncedAt: null }, ['sync_missing']],
    [{ liveStateSyncedAt: at(NOW - 2 * 3_600_000) }, ['sync_old']],
    [{ liveStateSyncedAt: at(NOW + 86_400_000) }, ['sync_in_future']],
    [{ available: false }, ['state_contradicts']],
    [{ liveState: 'sleeping' }, ['state_undocumented']],
  ])('%j is %j', (part, expected) => {
    expect(findings(part)).toEqual(expected)
  })

  it('is a list of those with findings, the worst first, and a file with a column for each finding', () => {
    const some = [{ id: 1, kw: null }, { id: 2 }, { id: 3, kw: null, connectors: [], airfield: '=1+1' }]
    const list = qualityList(
      some.map((part) => prepare(aCharger({ ...RIGHT, ...part }), tzLookup, new Set())),
      NOW,
    )
    expect(list.map(({ id }) => id)).toEqual([3, 1])
    const [head, ...rows] = qualityCsv(list, { sample: true })
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    expect(head).toEqual(['id', 'icao', 'airfield', ...QUALITY_FINDINGS, 'notice'])
    expect(rows.map((row) => row[2])).toEqual(['"\'=1+1"', 'Friedrichshafen'])
    expect(rows[0]?.filter((cell) => cell === 'yes')).toHaveLength(2)
  })
})
