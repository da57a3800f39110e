import type { ChargePoint } from './charger.ts'
import { isAhead, isCurrent, liveClassOf, syncedAtMs, type LiveClass } from './live-state.ts'

/** One answer of the service, received at `atMs` (Unix milliseconds). `complete` is false when it may lack chargers that exist. */
export interface ChargerSnapshot {
  chargers: readonly ChargePoint[]
  complete: boolean
  atMs: number
}

export type ChangeKind = 'became_free' | 'became_busy' | 'became_broken' | 'new' | 'gone'

interface ChargerChange {
  kind: ChangeKind
  /** As it is now; for a charger that is gone, as it last was. */
  charger: ChargePoint
  favourite: boolean
}

interface ChargerChanges {
  /** Favourites first, then by id; at most `limit`. */
  changes: ChargerChange[]
  /** Of all changes, including those beyond the limit. */
  counts: Record<ChangeKind, number>
  favouriteChanged: boolean
  /** For the comparison with the next answer; of all chargers that are there or may be. */
  lastKnown: Map<number, LastKnown>
}

const DEFAULT_LIMIT = 200

/**
 * What was last known of a charger that matters to a person. It outlasts a lost connection and a state that is out of date: what
 * was out of order before it went offline, and is when it is back, did not become so.
 */
export type LastKnown = 'free' | 'taken' | 'broken' | 'other'

/**
 * The changes between two answers that matter to a person; all other changes are ignored. Of several records with one id the last
 * counts. A charger is gone only when the later answer is complete, and new only when the earlier one is: otherwise the answer may
 * just have lacked it. `known`: by id, as of the earlier answer; for an id that is not in it, the earlier answer says it.
 */
export function chargerChanges(
  before: ChargerSnapshot,
  after: ChargerSnapshot,
  favourites: ReadonlySet<number>,
  limit = DEFAULT_LIMIT,
  known: ReadonlyMap<number, LastKnown> = new Map(),
): ChargerChanges {
  const [earlier, later] = [byId(before), byId(after)]
  const all: ChargerChange[] = []
  const lastKnown = new Map<number, LastKnown>()
  const add = (kind: ChangeKind | null, charger: ChargePoint) => {
    if (kind !== null) all.push({ kind, charger, favourite: favourites.has(charger.id) })
  }
  for (const [id, charger] of later) {
    const was = earlier.get(id)
    const wasKnown = known.get(id) ?? (was === undefined ? null : firstKnown(was, before.atMs))
    const isKnown = knownNow(charger, was, after.atMs)
    const last = isKnown ?? wasKnown
    if (last !== null) lastKnown.set(id, last)
    add(was === undefined ? (before.complete ? 'new' : null) : turnOf(wasKnown, isKnown), charger)
  }
  for (const [id, charger] of earlier) {
    if (later.has(id)) continue
    if (after.complete) add('gone', charger)
    else lastKnown.set(id, known.get(id) ?? firstKnown(charger, before.atMs) ?? 'other')
  }
  const counts = { became_free: 0, became_busy: 0, became_broken: 0, new: 0, gone: 0 }
  for (const { kind } of all) counts[kind] += 1
  all.sort((one, other) => Number(other.favourite) - Number(one.favourite) || one.charger.id - other.charger.id)
  return {
    changes: all.slice(0, Math.max(0, limit)),
    counts,
    favouriteChanged: all.some(({ favourite }) => favourite),
    lastKnown,
  }
}

function byId({ chargers }: ChargerSnapshot): Map<number, ChargePoint> {
  return new Map(chargers.map((charger) => [charger.id, charger]))
}

/** A reserved charger is taken to everybody else. A lost connection says nothing about the charger. */
const KNOWN_AS: Readonly<Partial<Record<LiveClass, LastKnown>>> = {
  free: 'free',
  busy: 'taken',
  reserved: 'taken',
  broken: 'broken',
  limited: 'other',
}

function turnOf(was: LastKnown | null, is: LastKnown | null): ChangeKind | null {
  if (is === null || is === was) return null
  switch (is) {
    case 'free':
      return 'became_free'
    case 'taken':
      return 'became_busy'
    case 'broken':
      return 'became_broken'
    case 'other':
      return null
  }
}

/**
 * What an answer says of a charger; null when nothing that holds now. An error counts although it is out of date, if it came after
 * what the answer before said: some services note a sync only when the state changes.
 */
function knownNow(charger: ChargePoint, was: ChargePoint | undefined, nowMs: number): LastKnown | null {
  const liveClass = liveClassOf(charger.liveState)
  if (liveClass === 'unlinked') return charger.available === true ? 'free' : 'other'
  const syncMs = syncedAtMs(charger.liveStateSyncedAt)
  if (isCurrent(syncMs, nowMs)) return KNOWN_AS[liveClass] ?? null
  if (liveClass !== 'broken' || was === undefined || syncMs === null || isAhead(syncMs, nowMs)) return null
  const wasMs = syncedAtMs(was.liveStateSyncedAt)
  return liveClassOf(was.liveState) !== 'broken' && wasMs !== null && syncMs > wasMs ? 'broken' : null
}

/** Without anything that is known from before: the state of an answer, also one that was out of date then, but no such error. */
function firstKnown(charger: ChargePoint, atMs: number): LastKnown | null {
  const current = knownNow(charger, undefined, atMs)
  if (current !== null) return current
  const last = KNOWN_AS[liveClassOf(charger.liveState)] ?? null
  return last === 'broken' ? null : last
}
