import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ChargerChange } from '../../shared/chargers/charger-status.ts'
import { liveStatusOf, syncedAtMs, type LiveClass } from '../../shared/chargers/live-state.ts'
import type { ChargerSet } from './charger-set.ts'

/** What was last known of a charger. It outlasts a lost connection and a state that is out of date. */
export type LastKnown = 'free' | 'busy' | 'broken' | 'other'

/** A reserved charger is taken to everybody else. The other classes say nothing about whether it works. */
const KNOWN_AS: Readonly<Partial<Record<LiveClass, LastKnown>>> = {
  free: 'free',
  busy: 'busy',
  reserved: 'busy',
  broken: 'broken',
  limited: 'other',
}

/** Gone only if the later list is complete, new only if the earlier one is. Updates `known`; without an entry the earlier set counts. */
export function watchedChanges(
  before: ChargerSet,
  after: ChargerSet,
  watched: ReadonlySet<number>,
  known: Map<number, LastKnown>,
): ChargerChange[] {
  const [earlier, later] = [watchedOf(before, watched), watchedOf(after, watched)]
  const changes: ChargerChange[] = []
  for (const id of watched) {
    const [was, is] = [earlier.get(id), later.get(id)]
    const shown = is ?? was
    if (shown === undefined) continue
    const wasKnown = known.get(id) ?? (was === undefined ? null : knownOf(was, before.atMs))
    const isKnown = is === undefined ? null : knownOf(is, after.atMs)
    const last = isKnown ?? wasKnown
    if (last !== null) known.set(id, last)
    const turned = isKnown === wasKnown || isKnown === 'other' ? null : isKnown
    const listed = before.gap === null ? 'new' : null
    const kind = is === undefined ? 'gone' : was === undefined ? listed : turned
    if (kind !== null) changes.push({ id, icao: shown.icao, kind })
  }
  return changes
}

/** Sets keep chargers that an incomplete list lacked, so one that is not in the later set is gone. */
const watchedOf = ({ chargers }: ChargerSet, watched: ReadonlySet<number>) =>
  new Map(chargers.filter(({ id }) => watched.has(id)).map((charger) => [charger.id, charger]))

function knownOf(charger: ChargePoint, atMs: number): LastKnown | null {
  const { liveClass, freeNow } = liveStatusOf({ charger, syncedAtMs: syncedAtMs(charger.liveStateSyncedAt) }, atMs)
  if (liveClass === 'unlinked') return freeNow ? 'free' : 'other'
  return KNOWN_AS[liveClass] ?? null
}
