import type { ChargerReading } from './ports.ts'
import { encodeSet, type ChargerSet } from './charger-set.ts'

const MAX_CHARGERS = 200_000

/**
 * What is known after a refresh. An incomplete one removes nothing: chargers it lacks may just not have been returned,
 * so they stay, marked. The version changes with the content of the set, not with its age; a new one is above
 * `lastVersion`.
 */
export async function nextSet(
  before: ChargerSet | null,
  reading: ChargerReading,
  { atMs, lastVersion }: { atMs: number; lastVersion: number },
): Promise<ChargerSet> {
  const { chargers, unseen } = merge(before, reading)
  const { unusable, duplicates, gap } = reading
  return encodeSet({ chargers, unseen, unusable, duplicates, gap, atMs }, (isSameAs) =>
    before !== null && isSameAs(before) && String(before.unseen) === String(unseen)
      ? before.version
      : newVersion(atMs, lastVersion),
  )
}

/**
 * Derived from the time, so that a page which outlived a restart of the engine does not mistake another set for the one
 * it has.
 */
export function newVersion(atMs: number, lastVersion: number): number {
  return Math.max(Math.trunc(atMs), lastVersion + 1)
}

function merge(before: ChargerSet | null, { chargers, gap }: ChargerReading) {
  if (gap === null || before === null) return { chargers, unseen: [] }
  const seen = new Set(chargers.map(({ id }) => id))
  const kept = before.chargers.filter(({ id }) => !seen.has(id)).slice(0, Math.max(0, MAX_CHARGERS - chargers.length))
  const all = [...chargers, ...kept].sort((one, other) => one.id - other.id)
  return { chargers: all, unseen: kept.map(({ id }) => id) }
}
