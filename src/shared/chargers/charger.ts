import { z } from 'zod'

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** `from` and `to` are "HH:MM" at the airfield; null when missing or in another format. */
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
 * A charger at an airfield (charger document, "Charge point"). All texts come from the service and are untrusted. A null that
 * the document does not allow stands for a value that was missing or unusable.
 */
export const ChargePoint = z.object({
  id: z.number().int(),
  /** ICAO code, or the locator of an airfield without one. */
  icao: text.nullable(),
  airfield: text.nullable(),
  location: ChargerLocation.nullable(),
  manufacturer: text.nullable(),
  connectors: z.array(text),
  aircraftTypes: z.array(text),
  softwareVersion: text.nullable(),
  paymentTypes: z.array(text),
  available: z.boolean().nullable(),
  /** One of `LIVE_STATE_LABELS`, or a value that the document does not list; null when the charger is not linked. */
  liveState: text.nullable(),
  /** ISO 8601 with offset; null when the charger is not linked. */
  liveStateSyncedAt: text.nullable(),
  /** Weekly opening hours, not occupancy. */
  availability: z.record(z.enum(WEEKDAYS), OpeningHours.nullable()),
  type: text.nullable(),
  /** Kilowatts, as the text that the service stores. */
  kw: text.nullable(),
})
export type ChargePoint = z.infer<typeof ChargePoint>

/**
 * The chargers as the service gives them for maps. `properties` is passed through unchanged: the document does not show its
 * members.
 */
export const ChargerGeoJson = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      type: z.literal('Feature'),
      /** Longitude, latitude and optionally height. */
      geometry: z.object({ type: z.literal('Point'), coordinates: z.array(z.number()).min(2).max(3) }),
      properties: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
})
export type ChargerGeoJson = z.infer<typeof ChargerGeoJson>
