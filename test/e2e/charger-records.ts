import { hours, weekOf } from '../shared/chargers/any-charger.ts'

/* Records of the charger list as the service writes them (charger document, "Charge point"). */

type ChargerRecord = Record<string, unknown> & { id: number; icao: string; airfield: string }

/** A complete record of a free DC charger that is open all day; `members` change it. */
export function record(
  at: { id: number; icao: string; airfield: string; lat: unknown; lng: unknown },
  members: Record<string, unknown> = {},
): ChargerRecord {
  const { lat, lng, ...who } = at
  return {
    ...who,
    location: { lat, lng, source: 'charge_point' },
    manufacturer: 'Sample Volt',
    connectors: ['CCS2'],
    aircraft_types: ['Velis Electro'],
    software_version: '1.4.2',
    payment_types: ['Free'],
    available: true,
    live_state: 'available',
    live_state_synced_at: new Date(Date.now() - 180_000).toISOString().replace(/\.\d{3}Z$/, '+00:00'),
    availability: weekOf(hours('00:00', '23:59')),
    type: 'DC',
    kw: '40',
    ...members,
  }
}

/** One page that holds them all. */
export function pageOf(records: readonly unknown[]): object {
  return { data: records, meta: { current_page: 1, per_page: 200, total: records.length, last_page: 1 } }
}
