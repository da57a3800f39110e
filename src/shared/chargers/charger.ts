import { z } from 'zod'
import { straightText } from '../text/safe-characters.ts'
import { WEEKDAYS, type Weekday } from './opening-week.ts'

const MAX_TEXT_CHARS = 500
const MAX_ENTRIES = 100
/** A text without any such character appears empty. */
const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u

const shortText = z.string().transform((text) => text.slice(0, MAX_TEXT_CHARS).toWellFormed())
const shownText = shortText.transform((short) => (VISIBLE.test(short) ? straightText(short) : null))
const text = shownText.nullable().catch(null)
const texts = z
  .array(text)
  .catch([])
  .transform((list) => list.filter((entry) => entry !== null).slice(0, MAX_ENTRIES))

/** Booleans as databases and spreadsheets write them. */
const [YES, NO]: [unknown[], unknown[]] = [
  [1, '1', 'true'],
  [0, '0', 'false'],
]
const yesNo = z.preprocess((value) => YES.includes(value) || (NO.includes(value) ? false : value), z.boolean())

/** "HH:MM" at the airfield. Stored times may come as "HH:MM:SS" or without a leading zero. */
const timeOfDay = z
  .string()
  .regex(/^(?:(?:[01]?\d|2[0-3]):[0-5]\d|24:00)(?::[0-5]\d)?$/)
  .transform((time) => time.replace(/^(?=\d:)/, '0').slice(0, 5))
  .nullable()
  .catch(null)
const hours = z.object({ open: yesNo, from: timeOfDay, to: timeOfDay }).nullable().catch(null)
const week = z.object(Object.fromEntries(WEEKDAYS.map((day) => [day, hours])) as Record<Weekday, typeof hours>)

/** Databases return numbers as text. */
const number = (written: RegExp) => (value: unknown) =>
  typeof value === 'string' && written.test(value) ? Number(value) : value
const degrees = (most: number) =>
  z.preprocess(number(/^\s*[+-]?\d{1,3}(?:\.\d{1,20})?\s*$/), z.number().min(-most).max(most))

/** Degrees. `source` is `charge_point` when an operator marked the charger, `arp` for the airfield reference point. */
const location = z
  .object({ lat: degrees(90), lng: degrees(180), source: text })
  // 0, 0 is in the ocean: it stands for a position that is missing.
  .transform((at) => (at.lat === 0 && at.lng === 0 ? null : at))
  .nullable()
  .catch(null)

/**
 * A charger at an airfield (charger document, "Charge point"), as a service gives it or a version of Hangar kept it. Only the id has to
 * be there: what is missing or unusable is null or left out. All texts are untrusted. The document spells the names `software_version`.
 */
export const ChargePoint = z.object({
  id: z.preprocess(number(/^\d{1,15}$/), z.number().int()),
  /** ICAO code, or the locator of an airfield without one. */
  icao: text,
  airfield: text,
  location,
  manufacturer: text,
  connectors: texts,
  aircraftTypes: texts,
  softwareVersion: text,
  paymentTypes: texts,
  available: yesNo.nullable().catch(null),
  /** A value of the document, or another; null when the charger is not linked, which an empty text does not say. */
  liveState: shortText.nullable().catch(null),
  /** ISO 8601 with offset; null when the charger is not linked. */
  liveStateSyncedAt: text,
  /** Weekly opening hours, not occupancy. */
  availability: week.catch(() => week.parse({})),
  type: text,
  /** Kilowatts, as the text that the service stores. */
  kw: z
    .union([shownText, z.number().transform(String)])
    .nullable()
    .catch(null),
})
export type ChargePoint = z.output<typeof ChargePoint>
export type ChargerLocation = NonNullable<ChargePoint['location']>
