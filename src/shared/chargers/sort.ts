import { isPoint, squaredChord, unitVector, type Point } from './distance.ts'
import { isAhead } from './live-state.ts'
import type { PreparedCharger } from './prepare.ts'

/**
 * Nearest first, strongest first (by one outlet), by the airfield's name, or latest live state first; sync times in the
 * future do not count.
 */
export type ChargerOrder = { by: 'distance'; from: Point } | { by: 'power' } | { by: 'airfield' } | { by: 'freshness' }

/** Returns a new list. Chargers without place, power, name or time come last; ties are ordered by id. */
export function sortChargers<One extends PreparedCharger>(
  prepared: readonly One[],
  order: ChargerOrder,
  nowMs: number,
): One[] {
  if (order.by === 'airfield') {
    const names = prepared.map((one) => ({ one, value: one.sortName === '' ? null : one.sortName }))
    return sorted(names, (name, other) => (name < other ? -1 : name > other ? 1 : 0))
  }
  const valueOf = numberOf(order, nowMs)
  return sorted(
    prepared.map((one) => ({ one, value: valueOf(one) })),
    (value, other) => value - other,
  )
}

/** Ascending sort key. */
function numberOf(
  order: Exclude<ChargerOrder, { by: 'airfield' }>,
  nowMs: number,
): (one: PreparedCharger) => number | null {
  if (order.by === 'power') return ({ power }) => (power === null ? null : -power.kw)
  if (order.by === 'freshness')
    return ({ syncedAtMs }) => (syncedAtMs === null || isAhead(syncedAtMs, nowMs) ? null : -syncedAtMs)
  if (!isPoint(order.from)) return () => null
  const from = unitVector(order.from)
  return ({ vector }) => (vector === null ? null : squaredChord(vector, from))
}

function sorted<One extends PreparedCharger, Value extends string | number>(
  keyed: { one: One; value: Value | null }[],
  compare: (value: Value, other: Value) => number,
): One[] {
  return keyed
    .sort((one, other) => {
      const byValue =
        one.value === null || other.value === null
          ? Number(one.value === null) - Number(other.value === null)
          : compare(one.value, other.value)
      return byValue || one.one.charger.id - other.one.charger.id
    })
    .map(({ one }) => one)
}
