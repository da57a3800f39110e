import { z } from 'zod'
import { NOTHING_KNOWN, WEEKDAYS } from './nothing-known.ts'

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

/** The names of the members in the charger document, in the order in which sets and files have them. */
export const WIRE_NAMES = {
  id: 'id',
  icao: 'icao',
  airfield: 'airfield',
  location: 'location',
  manufacturer: 'manufacturer',
  connectors: 'connectors',
  aircraftTypes: 'aircraft_types',
  softwareVersion: 'software_version',
  paymentTypes: 'payment_types',
  available: 'available',
  liveState: 'live_state',
  liveStateSyncedAt: 'live_state_synced_at',
  availability: 'availability',
  type: 'type',
  kw: 'kw',
} as const satisfies Record<keyof ChargePoint, string>

const { id, ...members } = ChargePoint.shape
const forgiving = Object.entries(NOTHING_KNOWN).map(([name, nothing]) => [
  name,
  (members[name as keyof typeof members] as z.ZodType).catch(nothing as never),
])

/** A charger as this or another version of Hangar kept it: what is missing or unusable is unknown, only the id has to be there. */
export const KeptChargePoint = z.object({ id, ...Object.fromEntries(forgiving) }) as unknown as z.ZodType<ChargePoint>
