import { isPoint, squaredChord, unitVector, type Point } from './distance.ts'
import { isAhead } from './live-state.ts'
import type { PreparedCharger } from './prepare.ts'

/**
 * Nearest first, strongest first (by one outlet), by the airfield's name, or latest live state first; sync times in the
 * future do not count.
 */
export type ChargerOrder = { by: 'distance'; from: Point } | { by: 'power' | 'airfield' | 'freshness' }

/** Returns a new list. Chargers without place, power, name or time come last; ties are ordered by id. */
export function sortChargers<One extends PreparedCharger>(
  prepared: readonly One[],
  order: ChargerOrder,
  nowMs: number,
): One[] {
  const keyOf = sortKey(order, nowMs)
  return prepared
    .map((one) => ({ one, key: keyOf(one) }))
    .sort(({ one, key }, { one: other, key: otherKey }) => {
      const ids = one.charger.id - other.charger.id
      if (key === otherKey) return ids
      if (key === null || otherKey === null) return key === null ? 1 : -1
      return key < otherKey ? -1 : 1
    })
    .map(({ one }) => one)
}

/** Ascending; null for what comes last. */
function sortKey(order: ChargerOrder, nowMs: number): (one: PreparedCharger) => number | string | null {
  switch (order.by) {
    case 'airfield':
      return ({ sortName }) => sortName || null
    case 'power':
      return ({ power }) => power && -power.kw
    case 'freshness':
      return ({ syncedAtMs }) => (syncedAtMs === null || isAhead(syncedAtMs, nowMs) ? null : -syncedAtMs)
    case 'distance': {
      const from = isPoint(order.from) ? unitVector(order.from) : null
      return ({ vector }) => vector && from && squaredChord(vector, from)
    }
  }
}
