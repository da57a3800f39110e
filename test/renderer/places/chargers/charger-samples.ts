import { ChargePoint } from '../../../../src/shared/chargers/charger.ts'
import { hours, weekOf } from '../../../shared/chargers/any-charger.ts'

/** A charger of which only what matters is named. */
export function aCharger(part: Partial<ChargePoint> & { id: number }): ChargePoint {
  return {
    ...ChargePoint.parse(part),
    icao: 'EDNY',
    airfield: 'Friedrichshafen',
    location: { lat: 47.67, lng: 9.51, source: 'arp' },
    connectors: ['CCS2'],
    available: true,
    liveState: 'available',
    liveStateSyncedAt: '2026-11-01T06:00:00+00:00',
    availability: weekOf(hours('00:00', '23:59')),
    type: 'DC',
    kw: '40',
    ...part,
  }
}

/** Two at one airfield, of which one is out of order; one near by; one far away; one without a place. Synced ten minutes ago. */
export function someChargers(nowMs: number): ChargePoint[] {
  const liveStateSyncedAt = new Date(nowMs - 600_000).toISOString()
  return [
    aCharger({ id: 1, liveStateSyncedAt }),
    aCharger({
      id: 2,
      liveState: 'error',
      liveStateSyncedAt,
      available: false,
      kw: '22',
      type: 'AC',
      connectors: ['Type 2'],
    }),
    aCharger({
      id: 3,
      icao: 'LSZR',
      airfield: 'Altenrhein',
      location: { lat: 47.485, lng: 9.56, source: 'charge_point' },
      liveState: null,
      available: false,
      liveStateSyncedAt: null,
      kw: '320',
    }),
    aCharger({
      id: 4,
      icao: 'NZAA',
      airfield: 'Auckland <b>',
      location: { lat: -37.01, lng: 174.79, source: 'arp' },
      liveState: 'busy-charging',
      liveStateSyncedAt,
      available: true,
    }),
    aCharger({ id: 5, icao: null, airfield: 'Nowhere', location: null, liveState: 'sleeping', liveStateSyncedAt }),
  ]
}
