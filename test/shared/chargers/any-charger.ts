import fc from 'fast-check'
import type { ChargePoint } from '../../../src/shared/chargers/charger.ts'
import type { Point } from '../../../src/shared/chargers/distance.ts'
import { WEEKDAYS, type Weekday } from '../../../src/shared/chargers/opening-week.ts'

type OpeningHours = NonNullable<ChargePoint['availability'][Weekday]>

export const hours = (from: string | null, to: string | null): OpeningHours => ({ open: true, from, to })
export const CLOSED: OpeningHours = { open: false, from: '00:00', to: '00:00' }

/** A week with one day's hours everywhere but where said otherwise. */
export function weekOf(
  everyDay: OpeningHours | null,
  others: Partial<Record<Weekday, OpeningHours | null>> = {},
): ChargePoint['availability'] {
  const days = Object.fromEntries(WEEKDAYS.map((day) => [day, everyDay])) as Record<Weekday, OpeningHours | null>
  return { ...days, ...others }
}

/** A week with these hours from Monday on. */
export const weekOfDays = (days: readonly (OpeningHours | null)[]): ChargePoint['availability'] =>
  weekOf(null, Object.fromEntries(WEEKDAYS.map((day, nth) => [day, days[nth]!])))

/** Ten minutes after the live state of `charger` was synced. */
export const NOW_MS = Date.parse('2026-03-01T10:10:00+01:00')

/** The place so far away, at a bearing in whole degrees. */
export function placeAway(from: Point, bearing: number, metres: number): Point {
  const [angle, lat, track] = [metres / 6_371_008.8, (from.lat * Math.PI) / 180, (bearing * Math.PI) / 180]
  const sin = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(track)
  const y = Math.sin(track) * Math.sin(angle) * Math.cos(lat)
  const lng = from.lng + (Math.atan2(y, Math.cos(angle) - Math.sin(lat) * sin) * 180) / Math.PI
  const clamped = Math.min(1, Math.max(-1, sin))
  return { lat: (Math.asin(clamped) * 180) / Math.PI, lng: ((((lng + 180) % 360) + 360) % 360) - 180 }
}

/** A complete charger at Innsbruck, changed as the test wants. */
export function charger(members: Partial<ChargePoint> = {}): ChargePoint {
  return {
    id: 1,
    icao: 'LOWI',
    airfield: 'Innsbruck',
    manufacturer: 'Sample Volt',
    softwareVersion: '1.0',
    location: { lat: 47.26217, lng: 11.344, source: 'charge_point' },
    connectors: ['CCS2'],
    aircraftTypes: ['Velis Electro'],
    paymentTypes: ['Free'],
    available: true,
    liveState: 'available',
    liveStateSyncedAt: '2026-03-01T10:00:00+01:00',
    availability: weekOf(hours('08:00', '18:00')),
    type: 'DC',
    kw: '50',
    ...members,
  }
}

export const anyPoint: fc.Arbitrary<Point> = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})

/** Any 16-bit units, halves of characters too. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units))

/** What breaks readers of files: markup, quotes, formulas, controls, halves of characters, text that turns around, length. */
const hostile = fc.oneof(
  anyText,
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    ...'| |]]>|<!--|&#0;|&amp;|"><script>|\'|=1+1|+1|-1|@x|\t=1|\r=1|\u0000|\ud800|\udfff|\ufffe|\u202egnp|\u2028'.split(
      '|',
    ),
    ...'\u001b[2J|\u009b2J|a,b|a"b|a\r\nb|\ufeff|＝1|Ajdovščina|__proto__|constructor|2x22|19,2|AC/DC|🛩️'.split('|'),
    'x'.repeat(500),
  ),
)
const text = fc.option(hostile, { freq: 5 })
const time = fc.option(fc.oneof(fc.constantFrom('00:00', '24:00', '23:59', '08:00', '18:00', '24:30'), hostile))
const days = fc.option(fc.record({ open: fc.boolean(), from: time, to: time }))

/** Any charger that the schema of the contract lets through. */
export const anyCharger: fc.Arbitrary<ChargePoint> = fc.record({
  id: fc.integer(),
  icao: fc.oneof(text, fc.constantFrom('EDAZ', 'lowi', 'ZK', 'X0001')),
  airfield: text,
  location: fc.option(
    fc.record({
      lat: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 0, 90)),
      lng: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 0, 180)),
      source: text,
    }),
  ),
  manufacturer: text,
  connectors: fc.array(hostile, { maxLength: 4 }),
  aircraftTypes: fc.array(hostile, { maxLength: 3 }),
  softwareVersion: text,
  paymentTypes: fc.array(hostile, { maxLength: 3 }),
  available: fc.option(fc.boolean()),
  liveState: fc.oneof(text, fc.constantFrom('available', 'busy', 'error', 'toString')),
  liveStateSyncedAt: fc.oneof(text, fc.constant('2026-03-01T10:00:00+01:00')),
  availability: fc.record(
    Object.fromEntries(WEEKDAYS.map((day) => [day, days])) as Record<Weekday, fc.Arbitrary<OpeningHours | null>>,
  ),
  type: text,
  kw: text,
})
