import { z } from 'zod'

/** The documented live states with their labels (charger document, States and transitions). */
export const LIVE_STATE_LABELS = {
  available: 'Available',
  busy: 'In use',
  'busy-blocked': 'Blocked',
  'busy-charging': 'Charging',
  'busy-non-charging': 'Occupied',
  'busy-non-released': 'Not released',
  'busy-reserved': 'Reserved',
  'busy-scheduled': 'Scheduled',
  error: 'Error',
  disconnected: 'Offline',
  passive: 'Local control',
  maintenance: 'Maintenance',
  exempt: 'Exempt',
  other: 'Unknown',
} as const

/** What to show for a live state: null for a charger that is not linked, "Unknown" for a value the document lacks. */
export function liveStateLabel(liveState: string | null): string | null {
  if (liveState === null) return null
  return Object.hasOwn(LIVE_STATE_LABELS, liveState)
    ? LIVE_STATE_LABELS[liveState as keyof typeof LIVE_STATE_LABELS]
    : LIVE_STATE_LABELS.other
}

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** `from` and `to` are "HH:MM" at the airfield; null when missing or written otherwise. */
export const OpeningHours = z.object({ open: z.boolean(), from: z.string().nullable(), to: z.string().nullable() })
export type OpeningHours = z.infer<typeof OpeningHours>

/** Degrees. `source` is `charge_point` when an operator marked the charger, `arp` for the airfield reference point. */
export const ChargerLocation = z.object({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  source: z.string().max(500).nullable(),
})
export type ChargerLocation = z.infer<typeof ChargerLocation>

const text = z.string().max(500)

/**
 * A charger at an airfield (charger document, "Charge point"). All texts come from the service and are untrusted. What is
 * null where the document allows none was missing or unusable.
 */
export const ChargePoint = z.object({
  id: z.number().int(),
  /** ICAO code, or the locator where there is none. */
  icao: text.nullable(),
  airfield: text.nullable(),
  location: ChargerLocation.nullable(),
  manufacturer: text.nullable(),
  connectors: z.array(text),
  aircraftTypes: z.array(text),
  softwareVersion: text.nullable(),
  paymentTypes: z.array(text),
  available: z.boolean().nullable(),
  /** One of `LIVE_STATE_LABELS`, or a value the document lacks; null when not linked. */
  liveState: text.nullable(),
  /** ISO 8601 with offset; null when not linked. */
  liveStateSyncedAt: text.nullable(),
  /** Weekly opening hours, not occupancy. */
  availability: z.record(z.enum(WEEKDAYS), OpeningHours.nullable()),
  type: text.nullable(),
  /** Kilowatts, as stored: text. */
  kw: text.nullable(),
})
export type ChargePoint = z.infer<typeof ChargePoint>

/** The chargers as the service gives them for maps; `properties` pass as they came: their members are not shown. */
export const ChargerGeoJson = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      type: z.literal('Feature'),
      /** Longitude, latitude, and perhaps a height. */
      geometry: z.object({ type: z.literal('Point'), coordinates: z.array(z.number()).min(2).max(3) }),
      properties: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
})
export type ChargerGeoJson = z.infer<typeof ChargerGeoJson>
