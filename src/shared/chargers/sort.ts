import { isPoint, squaredChord, unitVector, type Point } from './distance.ts'
import type { PreparedCharger } from './prepare.ts'

/** Nearest first, strongest first (by one outlet), or by the airfield's name. */
export type ChargerOrder = { by: 'distance'; from: Point } | { by: 'power' | 'airfield' }

/** Returns a new list. Chargers without place, power or name come last; ties are ordered by id. */
export function sortChargers(prepared: readonly PreparedCharger[], order: ChargerOrder): PreparedCharger[] {
  const keyOf = sortKey(order)
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
function sortKey(order: ChargerOrder): (one: PreparedCharger) => number | string | null {
  switch (order.by) {
    case 'airfield':
      return ({ sortName }) => sortName || null
    case 'power':
      return ({ power }) => power && -power.kw
    case 'distance': {
      const from = isPoint(order.from) ? unitVector(order.from) : null
      return ({ vector }) => vector && from && squaredChord(vector, from)
    }
  }
}
