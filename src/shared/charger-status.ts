import { z } from 'zod'
import { AppErrorCode } from './errors.ts'

/*
 * What is known about the chargers besides the chargers themselves: how the set stands, what changed, and what a person keeps.
 */

/** `free`, `busy`, `broken`: became so. */
export const ChargerChangeKind = z.enum(['free', 'busy', 'broken', 'new', 'gone'])
export type ChargerChangeKind = z.infer<typeof ChargerChangeKind>

/** One charger, before and after a refresh. Texts are the service's and untrusted. */
export const ChargerChange = z.object({
  id: z.number().int(),
  icao: z.string().nullable(),
  airfield: z.string().nullable(),
  kind: ChargerChangeKind,
  /** Live states as the service names them; null where there was none, or no such charger. */
  from: z.string().nullable(),
  to: z.string().nullable(),
})
export type ChargerChange = z.infer<typeof ChargerChange>

export const MOST_CHARGER_CHANGES = 500

/**
 * Why a list may lack chargers that the service has. `short`: fewer came than it counts. `changing`: it kept changing while
 * it was read. `too_long`: it has more than is read.
 */
export const ListGap = z.object({
  code: z.enum(['short', 'changing', 'too_long']),
  /** Records that came. */
  listed: z.number().int().nonnegative(),
  /** What the service says it has; null when it says nothing. */
  counted: z.number().int().nonnegative().nullable(),
})
export type ListGap = z.infer<typeof ListGap>

/** How the set of chargers stands. Times are Unix milliseconds. */
export const ChargerStatus = z.object({
  /** Grows when the chargers changed, over restarts too; 0 before there are any. The set itself: `chargersPath`. */
  version: z.number().int().nonnegative(),
  /** When the service gave them; null before the first. */
  atMs: z.number().nullable(),
  count: z.number().int().nonnegative(),
  /** Records that could not be used. */
  unusable: z.number().int().nonnegative(),
  /** Records whose id came more than once in one list; of each id the last one counts. */
  duplicates: z.number().int().nonnegative(),
  /** Null when the list is complete, and before there is one. */
  gap: ListGap.nullable(),
  /** The practice service's: samples, not for navigation. */
  sample: z.boolean(),
  refreshing: z.boolean(),
  /** Why the last refresh failed, or what the running one waits for; null when all is well. */
  problem: z.object({ code: AppErrorCode, message: z.string(), retryable: z.boolean(), atMs: z.number() }).nullable(),
  /** When it is asked again, or when a refresh that waits goes on; null when only a person's order starts one. */
  nextAtMs: z.number().nullable(),
  /** Since the refresh before; favourites first. */
  changes: z.array(ChargerChange).max(MOST_CHARGER_CHANGES),
  /** When those were found; null before the first refresh that had something to compare with. */
  changesAtMs: z.number().nullable(),
})
export type ChargerStatus = z.infer<typeof ChargerStatus>

/** Before anything is known. */
export const NO_CHARGERS: ChargerStatus = {
  version: 0,
  atMs: null,
  count: 0,
  unusable: 0,
  duplicates: 0,
  gap: null,
  sample: false,
  refreshing: false,
  problem: null,
  nextAtMs: null,
  changes: [],
  changesAtMs: null,
}

/** With the chargers that a person marked at the service in use. */
export const ChargersState = z.object({ status: ChargerStatus, favourites: z.array(z.number().int()) })
export type ChargersState = z.infer<typeof ChargersState>

export const MOST_FAVOURITES = 2000
export const MOST_FILTERS = 100

/** JSON that is kept as it is, of at most this many characters. */
function jsonWithin(mostChars: number) {
  return z.unknown().refine((value) => {
    try {
      return (JSON.stringify(value) ?? '').length <= mostChars
    } catch {
      // Nested too deeply, or no JSON at all.
      return false
    }
  }, 'too long to be kept')
}

/** Filters that a person saved under a name. The page alone knows what is in `filter`. */
export const SavedChargerFilter = z.object({
  id: z.string().min(1).max(40),
  name: z.string().min(1).max(100),
  filter: z.record(z.string(), z.unknown()).and(jsonWithin(10_000)),
})
export type SavedChargerFilter = z.infer<typeof SavedChargerFilter>

/** Places that remember how they were left. */
export const ViewName = z.enum(['chargers'])
export type ViewName = z.infer<typeof ViewName>
export const ViewValue = jsonWithin(20_000)
