import type { ChargePoint, LIVE_STATE_LABELS } from '../charger.ts'

/**
 * What the live states come down to for somebody who wants to charge. `unlinked`: the charger has no live state.
 * `limited`: works, but not for everybody or not by the network. `unknown`: also for a state that the document lacks.
 */
export type LiveClass = 'free' | 'busy' | 'reserved' | 'broken' | 'offline' | 'limited' | 'unknown' | 'unlinked'

export const LIVE_CLASSES: readonly LiveClass[] = [
  ...(['free', 'busy', 'reserved', 'limited', 'broken', 'offline', 'unknown', 'unlinked'] as const),
]

/** The states of the charger document, "States and transitions". */
const CLASS_OF: Readonly<Record<keyof typeof LIVE_STATE_LABELS, LiveClass>> = {
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

export function liveClassOf(liveState: string | null | undefined): LiveClass {
  if (typeof liveState !== 'string') return 'unlinked'
  return Object.hasOwn(CLASS_OF, liveState) ? CLASS_OF[liveState as keyof typeof CLASS_OF] : 'unknown'
}

/** Where the yes/no and the live state of one charger do not go together. */
export type Disagreement = 'live_free_said_not' | 'live_taken_said_free'

export interface LiveStatus {
  liveClass: LiveClass
  /** Free as far as anybody can tell from here: the live state, or without one the yes/no of the service. */
  freeNow: boolean
  /** False when `freeNow` rests on the yes/no alone: "said to be free", not seen to be. */
  isLive: boolean
  disagreement: Disagreement | null
}

const TAKEN: readonly LiveClass[] = ['busy', 'reserved', 'broken', 'offline']

/**
 * Whether a charger can be used now. The document says that `available` follows the live state of a linked charger, but
 * not how: the mapping is not shown. So the live state alone decides where there is one, `available` where there is
 * none, and both are compared only where they plainly contradict each other: `limited` and `unknown` never do.
 */
export function liveStatusOf(charger: Pick<ChargePoint, 'liveState' | 'available'>): LiveStatus {
  const liveClass = liveClassOf(charger.liveState)
  const isLive = liveClass !== 'unlinked'
  const saidFree = charger.available
  let disagreement: Disagreement | null = null
  if (liveClass === 'free' && saidFree === false) disagreement = 'live_free_said_not'
  if (TAKEN.includes(liveClass) && saidFree === true) disagreement = 'live_taken_said_free'
  return { liveClass, freeNow: isLive ? liveClass === 'free' : saidFree === true, isLive, disagreement }
}

const ISO_WITH_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i

/** When the live state was synced, as milliseconds since 1970; null without one, or when no offset says what it means. */
export function syncedAtMs(liveStateSyncedAt: string | null | undefined): number | null {
  if (typeof liveStateSyncedAt !== 'string' || !ISO_WITH_OFFSET.test(liveStateSyncedAt)) return null
  const ms = Date.parse(liveStateSyncedAt)
  return Number.isFinite(ms) ? ms : null
}
