import type { ChargePoint } from '../../shared/chargers/charger.ts'
import {
  MAX_CHARGER_CHANGES,
  type ChargerChange,
  type ChargerChangeKind,
} from '../../shared/chargers/charger-status.ts'
import { chargerChanges, type ChangeKind, type LastKnown } from '../../shared/chargers/changes.ts'
import { yieldToEventLoop, type ChargerSet } from './charger-set.ts'
import type { ChargerReading } from './ports.ts'

const KINDS: Record<ChangeKind, ChargerChangeKind> = {
  became_free: 'free',
  became_busy: 'busy',
  became_broken: 'broken',
  new: 'new',
  gone: 'gone',
}

/** Chargers of each side that are compared before yielding to other work. */
const SLICE = 2000

/** At most 500 changes, favourites first, and their total number. */
interface SetChanges {
  changes: ChargerChange[]
  count: number
  lastKnown: Map<number, LastKnown>
}

/** The notable changes between a set and the refresh after it. Both are in order of id. `known`: see `chargerChanges`. */
export async function setChanges(
  before: ChargerSet,
  after: ChargerReading & { atMs: number },
  favourites: ReadonlySet<number>,
  known: ReadonlyMap<number, LastKnown> = new Map(),
): Promise<SetChanges> {
  let count = 0
  const lastKnown = new Map<number, LastKnown>()
  const found: { change: ChargerChange; favourite: boolean }[] = []
  for (const [earlier, later] of slices(before.chargers, after.chargers)) {
    const {
      changes,
      counts,
      lastKnown: ofSlice,
    } = chargerChanges(
      { chargers: earlier, complete: before.gap === null, atMs: before.atMs },
      { chargers: later, complete: after.gap === null, atMs: after.atMs },
      favourites,
      MAX_CHARGER_CHANGES,
      known,
    )
    for (const [id, last] of ofSlice) lastKnown.set(id, last)
    for (const one of Object.values(counts)) count += one
    const was = changes.length === 0 ? null : new Map(earlier.map((charger) => [charger.id, charger]))
    for (const { kind, charger, favourite } of changes)
      found.push({ change: toChange(KINDS[kind], charger, was?.get(charger.id)), favourite })
    await yieldToEventLoop()
  }
  found.sort((one, other) => Number(other.favourite) - Number(one.favourite))
  return { changes: found.slice(0, MAX_CHARGER_CHANGES).map(({ change }) => change), count, lastKnown }
}

function toChange(kind: ChargerChangeKind, charger: ChargePoint, was: ChargePoint | undefined): ChargerChange {
  const { id, icao, airfield, liveState } = charger
  return { id, icao, airfield, kind, from: was?.liveState ?? null, to: kind === 'gone' ? null : liveState }
}

/** Both lists, cut at the same ids. */
function* slices(
  before: readonly ChargePoint[],
  after: readonly ChargePoint[],
): Generator<[readonly ChargePoint[], readonly ChargePoint[]]> {
  let [b, a] = [0, 0]
  while (b < before.length || a < after.length) {
    const limit = Math.min(before[b + SLICE]?.id ?? Infinity, after[a + SLICE]?.id ?? Infinity)
    const [fromB, fromA] = [b, a]
    while (b < before.length && before[b]!.id < limit) b += 1
    while (a < after.length && after[a]!.id < limit) a += 1
    yield [before.slice(fromB, b), after.slice(fromA, a)]
  }
}
