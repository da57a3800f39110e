import { z } from 'zod'
import { AppErrorShape } from '../sentences/errors.ts'
import type { ChargePoint } from './charger.ts'

/** What changed at a charger, whose texts are untrusted; with `free`, `busy` and `broken` to that state. */
export const ChargerChange = z.object({
  id: z.number().int(),
  icao: z.string().nullable(),
  kind: z.enum(['free', 'busy', 'broken', 'new', 'gone']),
})
export type ChargerChange = z.infer<typeof ChargerChange>

/** Why a list may lack chargers: fewer came than the service counts, it kept changing while it was read, or it is too long for Hangar. */
export const ListGap = z.object({
  code: z.enum(['short', 'changing', 'too_long']),
  /** Records received so far. */
  listed: z.number().int().nonnegative(),
  /** The service's own count; null when it gives none. */
  counted: z.number().int().nonnegative().nullable(),
})
export type ListGap = z.infer<typeof ListGap>

/** What a refresh read of a service's list: all of it, unless `gap` says otherwise. */
export interface ChargerReading {
  /** In ascending order of id, each id once. */
  chargers: ChargePoint[]
  /** Records that could not be used. */
  unusable: number
  /** Why chargers may be missing; null when the list is complete. */
  gap: ListGap | null
}

const ReadingProgress = ListGap.omit({ code: true })
export type ReadingProgress = z.infer<typeof ReadingProgress>

/** Status of the set of chargers. Times are Unix milliseconds. */
export const ChargerStatus = z.object({
  /** Increases whenever the chargers change, across restarts too; 0 before there are any. The set itself is at `chargersPath`. */
  version: z.number().int().nonnegative(),
  /** When they were received from the service; null before the first time. */
  atMs: z.number().nullable(),
  count: z.number().int().nonnegative(),
  /** Records that could not be used. */
  unusable: z.number().int().nonnegative(),
  /** Null when the list is complete, and before there is one. */
  gap: ListGap.nullable(),
  /** They come from the practice service: samples, not for navigation. */
  sample: z.boolean(),
  refreshing: z.boolean(),
  /** Of the running refresh; null before its first page. */
  progress: ReadingProgress.nullable(),
  /** Why the last refresh failed, or what the running one waits for; null when there is no problem. */
  problem: AppErrorShape.extend({ atMs: z.number() }).nullable(),
  /** When the next refresh starts, or a waiting one continues; null when only a person's command starts one. */
  nextAtMs: z.number().nullable(),
  /** Of favourites and of chargers on saved routes with notices, from the last refresh that found any. */
  changes: z.array(ChargerChange),
  /** When those were found; null before the first refresh that had something to compare with. */
  changesAtMs: z.number().nullable(),
})
export type ChargerStatus = z.infer<typeof ChargerStatus>

/** The status before anything is known. */
export const NO_CHARGERS: ChargerStatus = {
  version: 0,
  atMs: null,
  count: 0,
  unusable: 0,
  gap: null,
  sample: false,
  refreshing: false,
  progress: null,
  problem: null,
  nextAtMs: null,
  changes: [],
  changesAtMs: null,
}

/** `favourites`: the chargers that a person marked at the service in use. */
export const ChargersState = z.object({ status: ChargerStatus, favourites: z.array(z.number().int()) })
export type ChargersState = z.infer<typeof ChargersState>
