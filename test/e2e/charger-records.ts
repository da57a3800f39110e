/* Records of the charger list as the service writes them (charger document, "Charge point"). */

export interface ChargerRecord {
  id: number
  icao: string
  airfield: string
  [member: string]: unknown
}

type Hours = { open: boolean; from: string; to: string }

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const DAY_HOURS = 24

export const ALL_DAY: Hours = { open: true, from: '00:00', to: '23:59' }
export const CLOSED: Hours = { open: false, from: '00:00', to: '00:00' }

/** Hours that began and end about this many hours from now by the clocks of `zone`, whenever the test runs; never at midnight, which has a name. */
export function hoursAroundNow(zone: string, hours: number): Hours {
  const clock = new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' })
  const now = Number(clock.format(Date.now()))
  const text = (hour: number) => `${String((hour + DAY_HOURS) % DAY_HOURS).padStart(2, '0')}:30`
  return { open: true, from: text(now - hours), to: text(now + hours) }
}

export function everyDay(hours: Hours): Record<string, Hours> {
  return Object.fromEntries(DAYS.map((day) => [day, hours]))
}

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
    live_state_synced_at: minutesAgo(3),
    availability: everyDay(ALL_DAY),
    type: 'DC',
    kw: '40',
    ...members,
  }
}

/** ISO 8601 with an offset, to the second. */
export function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d{3}Z$/, '+00:00')
}

/** One page that holds them all. */
export function pageOf(records: readonly unknown[]): object {
  return { data: records, meta: { current_page: 1, per_page: 200, total: records.length, last_page: 1 } }
}
