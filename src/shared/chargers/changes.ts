import type { ChargePoint } from '../charger.ts'
import { liveClassOf, liveStatusOf, syncedAtMs, type LiveClass } from './live-state.ts'

/** One answer of the service. `complete` is false when it may lack chargers that exist. */
export interface ChargerSnapshot {
  chargers: readonly ChargePoint[]
  complete: boolean
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
}

const DEFAULT_LIMIT = 200

/**
 * The changes between two answers that matter to a person, the later one received at `atMs` (Unix milliseconds); all other
 * changes are ignored. Of several records with one id the last counts. A charger is gone only when the later answer is
 * complete, and new only when the earlier one is: otherwise the answer may just have lacked it.
 */
export function chargerChanges(
  before: ChargerSnapshot,
  after: ChargerSnapshot & { atMs: number },
  favourites: ReadonlySet<number>,
  limit = DEFAULT_LIMIT,
): ChargerChanges {
  const [earlier, later] = [byId(before), byId(after)]
  const all: ChargerChange[] = []
  const add = (kind: ChangeKind | null, charger: ChargePoint) => {
    if (kind !== null) all.push({ kind, charger, favourite: favourites.has(charger.id) })
  }
  for (const [id, charger] of later) {
    const was = earlier.get(id)
    add(was === undefined ? (before.complete ? 'new' : null) : turnOf(was, charger, after.atMs), charger)
  }
  if (after.complete) for (const [id, charger] of earlier) if (!later.has(id)) add('gone', charger)
  const counts = { became_free: 0, became_busy: 0, became_broken: 0, new: 0, gone: 0 }
  for (const { kind } of all) counts[kind] += 1
  all.sort((one, other) => Number(other.favourite) - Number(one.favourite) || one.charger.id - other.charger.id)
  return {
    changes: all.slice(0, Math.max(0, limit)),
    counts,
    favouriteChanged: all.some(({ favourite }) => favourite),
  }
}

function byId({ chargers }: ChargerSnapshot): Map<number, ChargePoint> {
  return new Map(chargers.map((charger) => [charger.id, charger]))
}

/**
 * Compares the last known state with a current live state; an outdated one is no change. A reserved charger is busy to
 * everybody else. A lost connection says nothing about the charger and is no change.
 */
function turnOf(was: ChargePoint, is: ChargePoint, nowMs: number): ChangeKind | null {
  const before = liveClassOf(was.liveState)
  const wasFree = before === 'free' || (before === 'unlinked' && was.available === true)
  const now = liveStatusOf({ charger: is, syncedAtMs: syncedAtMs(is.liveStateSyncedAt) }, nowMs)
  if (now.freeNow) return wasFree ? null : 'became_free'
  if (isTaken(now.liveClass)) return isTaken(before) ? null : 'became_busy'
  return now.liveClass === 'broken' && before !== 'broken' ? 'became_broken' : null
}

function isTaken(liveClass: LiveClass): boolean {
  return liveClass === 'busy' || liveClass === 'reserved'
}
