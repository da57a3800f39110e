import type { ChargePoint, LIVE_STATE_LABELS } from '../charger.ts'

/**
 * What the live states come down to for a pilot who wants to charge. `unlinked`: the charger has no live state. `stale`:
 * it has one, but not of now. `limited`: works, but not for everybody or not by the network. `unknown`: also for a state
 * that the document lacks.
 */
export type LiveClass =
  'free' | 'busy' | 'reserved' | 'broken' | 'offline' | 'limited' | 'unknown' | 'stale' | 'unlinked'

export const LIVE_CLASSES: readonly LiveClass[] = [
  ...(['free', 'busy', 'reserved', 'limited', 'broken', 'offline', 'unknown', 'stale', 'unlinked'] as const),
]

/**
 * How long after its sync a live state counts as current: the longest interval between refreshes.
 * The document does not say how often states are synced.
 */
export const LIVE_FOR_MS = 60 * 60_000
/** So far ahead of this computer's clock another one may be; a sync beyond it is at no time that can be believed. */
const CLOCK_SKEW_MS = 5 * 60_000

/** The states of the charger document, "States and transitions". */
const CLASS_OF: Readonly<Record<keyof typeof LIVE_STATE_LABELS, Exclude<LiveClass, 'stale'>>> = {
  available: 'free',
  busy: 'busy',
  'busy-blocked': 'busy',
  'busy-charging': 'busy',
  'busy-non-charging': 'busy',
  'busy-non-released': 'busy',
  'busy-reserved': 'reserved',
  'busy-scheduled': 'reserved',
  error: 'broken',
  disconnected: 'offline',
  passive: 'limited',
  maintenance: 'broken',
  exempt: 'limited',
  other: 'unknown',
}

/** Whatever its age; see `liveStatusOf`. */
export function liveClassOf(liveState: string | null | undefined): Exclude<LiveClass, 'stale'> {
  if (typeof liveState !== 'string') return 'unlinked'
  return Object.hasOwn(CLASS_OF, liveState) ? CLASS_OF[liveState as keyof typeof CLASS_OF] : 'unknown'
}

/** Whether a state that was synced then is one of now. Unix milliseconds; null when it is not known. */
export function isCurrent(syncedAtMs: number | null, nowMs: number): boolean {
  return syncedAtMs !== null && nowMs - syncedAtMs <= LIVE_FOR_MS && !isAhead(syncedAtMs, nowMs)
}

/** A time of sync that has not come yet tells no age. */
export function isAhead(syncedAtMs: number, nowMs: number): boolean {
  return syncedAtMs - nowMs > CLOCK_SKEW_MS
}

/** Where the yes/no and the live state of one charger do not go together. */
export type Disagreement = 'live_free_said_not' | 'live_taken_said_free'

export interface LiveStatus {
  liveClass: LiveClass
  /** Free as far as anybody can tell from here: the live state of now, or without one the yes/no of the service. */
  freeNow: boolean
  /** False when there is no live state of now: `freeNow` then rests on the yes/no alone, "said to be free", if it is true. */
  isLive: boolean
  disagreement: Disagreement | null
}

/** What a live status is worked out from. */
export interface LiveFacts {
  charger: Pick<ChargePoint, 'liveState' | 'available'>
  /** See `syncedAtMs`. */
  syncedAtMs: number | null
}

const TAKEN: readonly LiveClass[] = ['busy', 'reserved', 'broken', 'offline']

/**
 * Whether a charger can be used now. The document says that `available` follows the live state of a linked charger, but
 * not how: the mapping is not shown. So the live state alone decides where there is one, `available` where there is
 * none, and both are compared only where they plainly contradict each other: `limited` and `unknown` never do. A live
 * state that is not of now decides nothing, and `available` with it, since it follows.
 */
export function liveStatusOf({ charger, syncedAtMs }: LiveFacts, nowMs: number): LiveStatus {
  const known = liveClassOf(charger.liveState)
  if (known === 'unlinked')
    return { liveClass: known, freeNow: charger.available === true, isLive: false, disagreement: null }
  if (!isCurrent(syncedAtMs, nowMs)) return { liveClass: 'stale', freeNow: false, isLive: false, disagreement: null }
  const saidFree = charger.available
  let disagreement: Disagreement | null = null
  if (known === 'free' && saidFree === false) disagreement = 'live_free_said_not'
  if (TAKEN.includes(known) && saidFree === true) disagreement = 'live_taken_said_free'
  return { liveClass: known, freeNow: known === 'free', isLive: true, disagreement }
}

/**
 * Whether the live state is of now; null without one. For those who read the service's members in a file, where a state
 * stands for as long as the file does.
 */
export function isLiveStateCurrent(
  { liveState, liveStateSyncedAt }: Pick<ChargePoint, 'liveState' | 'liveStateSyncedAt'>,
  nowMs: number,
): boolean | null {
  return liveState === null ? null : isCurrent(syncedAtMs(liveStateSyncedAt), nowMs)
}

/** The first time after now at which one of these live states begins or ceases to be of now; Infinity when none does. */
export function nextLiveTurnMs(all: Iterable<LiveFacts>, nowMs: number): number {
  let next = Infinity
  for (const { charger, syncedAtMs } of all) {
    if (charger.liveState === null || syncedAtMs === null) continue
    const turnMs = isAhead(syncedAtMs, nowMs) ? syncedAtMs - CLOCK_SKEW_MS : syncedAtMs + LIVE_FOR_MS + 1
    if (turnMs > nowMs && turnMs < next) next = turnMs
  }
  return next
}

const ISO_WITH_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i

/** When the live state was synced, as milliseconds since 1970; null without one, or when no offset says what it means. */
export function syncedAtMs(liveStateSyncedAt: string | null | undefined): number | null {
  if (typeof liveStateSyncedAt !== 'string' || !ISO_WITH_OFFSET.test(liveStateSyncedAt)) return null
  const ms = Date.parse(liveStateSyncedAt)
  return Number.isFinite(ms) ? ms : null
}
