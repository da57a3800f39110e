import type { ChargerStatus } from './charger-status.ts'
import type { ChargePoint } from './charger.ts'

/**
 * What a live state means for a pilot who wants to charge. `unlinked`: there is none. `stale`: it is outdated. `limited`: works, but not
 * for everybody or not through the network. `unknown`: also for a state that the document does not list.
 */
export type LiveClass =
  'free' | 'busy' | 'reserved' | 'limited' | 'broken' | 'offline' | 'unknown' | 'stale' | 'unlinked'

/** The documented live states with their labels (charger document, States and transitions). */
const LIVE_STATES: Readonly<Record<string, { label: string; liveClass: Exclude<LiveClass, 'stale'> }>> = {
  available: { label: 'Available', liveClass: 'free' },
  busy: { label: 'In use', liveClass: 'busy' },
  'busy-blocked': { label: 'Blocked', liveClass: 'busy' },
  'busy-charging': { label: 'Charging', liveClass: 'busy' },
  'busy-non-charging': { label: 'Occupied', liveClass: 'busy' },
  'busy-non-released': { label: 'Not released', liveClass: 'busy' },
  'busy-reserved': { label: 'Reserved', liveClass: 'reserved' },
  'busy-scheduled': { label: 'Scheduled', liveClass: 'reserved' },
  error: { label: 'Error', liveClass: 'broken' },
  disconnected: { label: 'Offline', liveClass: 'offline' },
  passive: { label: 'Local control', liveClass: 'limited' },
  maintenance: { label: 'Maintenance', liveClass: 'broken' },
  exempt: { label: 'Exempt', liveClass: 'limited' },
  other: { label: 'Unknown', liveClass: 'unknown' },
}

const known = (liveState: string) => LIVE_STATES[Object.hasOwn(LIVE_STATES, liveState) ? liveState : 'other']!

/** Null for a charger that is not linked, "Unknown" for a value that the document does not list. */
export function liveStateLabel(liveState: string | null): string | null {
  return liveState === null ? null : known(liveState).label
}

/** Regardless of its age. */
export function liveClassOf(liveState: string | null): Exclude<LiveClass, 'stale'> {
  return liveState === null ? 'unlinked' : known(liveState).liveClass
}

const MINUTE_MS = 60_000
/** How long a live state is current: the longest interval between refreshes. How often states are synced is not documented. */
const LIVE_FOR_MS = 60 * MINUTE_MS
/** How far ahead of this computer's clock another clock may be; a sync time later than that is not credible. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS

/** Whether a state that was synced at that time is still current. Unix milliseconds; null when unknown. */
export function isCurrent(syncedAtMs: number | null, nowMs: number): boolean {
  return syncedAtMs !== null && nowMs - syncedAtMs <= LIVE_FOR_MS && !isAhead(syncedAtMs, nowMs)
}

/** Whether a sync time lies in the future, so that the state's age is unknown. */
export function isAhead(syncedAtMs: number, nowMs: number): boolean {
  return syncedAtMs - nowMs > CLOCK_SKEW_MS
}

/** Whether the list is older than it should be: the last refresh failed, or two are missing; refreshed on request, as a live state. */
export function isOld(
  { atMs, problem }: Pick<ChargerStatus, 'atMs' | 'problem'>,
  refreshMinutes: number,
  nowMs: number,
): boolean {
  if (atMs === null) return false
  const allowedMs = refreshMinutes === 0 ? LIVE_FOR_MS : (2 * refreshMinutes + 1) * MINUTE_MS
  return nowMs - atMs > allowedMs || (problem !== null && problem.atMs >= atMs)
}

interface LiveStatus {
  liveClass: LiveClass
  /** Free by the current live state or, without one, by the service's yes/no. */
  freeNow: boolean
  /** False when there is no current live state: a true `freeNow` then rests on the yes/no alone ("said to be free"). */
  isLive: boolean
}

export interface LiveFacts {
  charger: Pick<ChargePoint, 'liveState' | 'available'>
  /** See `syncedAtMs`. */
  syncedAtMs: number | null
}

/**
 * Whether a charger can be used now. The document does not say how `available` follows the live state of a linked charger, so the live
 * state alone decides where there is one, and an outdated one decides nothing.
 */
export function liveStatusOf({ charger, syncedAtMs }: LiveFacts, nowMs: number): LiveStatus {
  const liveClass = liveClassOf(charger.liveState)
  if (liveClass === 'unlinked') return { liveClass, freeNow: charger.available === true, isLive: false }
  if (!isCurrent(syncedAtMs, nowMs)) return { liveClass: 'stale', freeNow: false, isLive: false }
  return { liveClass, freeNow: liveClass === 'free', isLive: true }
}

/** Whether a live state that is no longer current said that the charger is out of order. */
export function wasBroken(facts: LiveFacts, nowMs: number): boolean {
  return liveClassOf(facts.charger.liveState) === 'broken' && !isCurrent(facts.syncedAtMs, nowMs)
}

/** Null without a live state. For exported files, which keep a state as long as they exist. */
export function isLiveStateCurrent(
  { liveState, liveStateSyncedAt }: Pick<ChargePoint, 'liveState' | 'liveStateSyncedAt'>,
  nowMs: number,
): boolean | null {
  return liveState === null ? null : isCurrent(syncedAtMs(liveStateSyncedAt), nowMs)
}

const ISO_WITH_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i

/** When the live state was synced, as milliseconds since 1970; null without one, or when it has no UTC offset. */
export function syncedAtMs(liveStateSyncedAt: string | null): number | null {
  if (liveStateSyncedAt === null || !ISO_WITH_OFFSET.test(liveStateSyncedAt)) return null
  const ms = Date.parse(liveStateSyncedAt)
  return Number.isFinite(ms) ? ms : null
}
