import { z } from 'zod'
import { ChargerLocation, WIRE_NAMES, type ChargePoint } from '../../shared/chargers/charger.ts'
import { WEEKDAYS, type Weekday } from '../../shared/chargers/nothing-known.ts'

const MAX_TEXT_CHARS = 500
const MAX_ENTRIES = 100
/** A text without any such character appears empty. */
const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u

/**
 * Reads one record of the list (charger document, "Charge point"). Null when it has no id, since nothing could refer to
 * it.
 */
export function readCharger(record: unknown): ChargePoint | null {
  const parsed = WireCharger.safeParse(record)
  if (!parsed.success) return null
  const wire = parsed.data
  // The order of the members counts: sets are compared as bytes.
  return Object.fromEntries(Object.entries(WIRE_NAMES).map(([name, wired]) => [name, wire[wired]])) as ChargePoint
}

/** Every member but the id is optional: unusable values become null or are left out. */
const shortText = z.string().transform((text) => text.slice(0, MAX_TEXT_CHARS).toWellFormed())
const visibleText = shortText.transform((short) => (VISIBLE.test(short) ? short : null))
const text = visibleText.nullable().catch(null)
const texts = z
  .array(text)
  .catch([])
  .transform((list) => list.filter((entry) => entry !== null).slice(0, MAX_ENTRIES))

/** Stored times may come as "HH:MM:SS" or without a leading zero. */
const timeOfDay = z
  .string()
  .regex(/^(?:(?:[01]?\d|2[0-3]):[0-5]\d|24:00)(?::[0-5]\d)?$/)
  .transform((time) => (time.indexOf(':') === 1 ? `0${time}` : time).slice(0, 5))
  .nullable()
  .catch(null)
/** Booleans as databases and spreadsheets write them. */
const YES_NO = new Map<unknown, boolean>([
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
])
const yesNo = z.preprocess((value) => YES_NO.get(value) ?? value, z.boolean())
const hours = z.object({ open: yesNo, from: timeOfDay, to: timeOfDay }).nullable().catch(null)
const week = z.object(Object.fromEntries(WEEKDAYS.map((day) => [day, hours])) as Record<Weekday, typeof hours>)
const NO_HOURS = Object.fromEntries(WEEKDAYS.map((day) => [day, null])) as z.infer<typeof week>

/** Databases return decimals as text. */
const degrees = z.preprocess(
  (value) => (typeof value === 'string' && /^\s*[+-]?\d{1,3}(?:\.\d{1,20})?\s*$/.test(value) ? Number(value) : value),
  z.number(),
)
const location = z
  .object({ lat: degrees, lng: degrees, source: text })
  .pipe(ChargerLocation)
  .nullable()
  .catch(null)
  // 0, 0 is in the ocean: it stands for a position that is missing.
  .transform((at) => (at !== null && at.lat === 0 && at.lng === 0 ? null : at))

const WireCharger = z.object({
  id: z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    z.number().int(),
  ),
  icao: text,
  airfield: text,
  location,
  manufacturer: text,
  connectors: texts,
  aircraft_types: texts,
  software_version: text,
  payment_types: texts,
  available: yesNo.nullable().catch(null),
  /** Null means that it is not linked: an empty one must not. */
  live_state: shortText.nullable().catch(null),
  live_state_synced_at: text,
  availability: week.catch(NO_HOURS),
  type: text,
  kw: z
    .union([visibleText, z.number().transform(String)])
    .nullable()
    .catch(null),
} satisfies Record<(typeof WIRE_NAMES)[keyof ChargePoint], z.ZodType>)
