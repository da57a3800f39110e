import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ListGap } from '../../shared/chargers/charger-status.ts'
import type { ChargerReading } from './ports.ts'

/** What is known of one service's chargers at one time. */
export interface ChargerSet {
  /** In ascending order of id. */
  chargers: readonly ChargePoint[]
  /** Ids among them that the last refresh did not return, though it could not prove them gone. */
  unseen: readonly number[]
  unusable: number
  duplicates: number
  /** Null when the list is complete. */
  gap: ListGap | null
  version: number
  /** When the service returned them, in Unix milliseconds. */
  atMs: number
  /** The JSON that a page gets, and within it the chargers alone. */
  bytes: Buffer
  body: Buffer
}

const MAX_CHARGERS = 200_000
/** Chargers written or read before other work has its turn: about five milliseconds. */
export const SLICE = 1000

export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Writes a set as JSON, one charger per line. `versionOf` may ask whether the chargers are the same as in another set. */
export async function encodeSet(
  facts: Omit<ChargerSet, 'bytes' | 'body' | 'version'>,
  versionOf: (isSameAs: (other: ChargerSet) => boolean) => number,
): Promise<ChargerSet> {
  const lines: string[] = []
  for (const charger of facts.chargers) {
    lines.push(JSON.stringify(charger))
    if (lines.length % SLICE === 0) await yieldToEventLoop()
  }
  const body = Buffer.from(lines.join(',\n'))
  const version = versionOf((other) => other.body.equals(body))
  const { atMs, unseen } = facts
  const head = `${JSON.stringify({ version, atMs, unseen }).slice(0, -1)},"chargers":[\n`
  return { ...facts, version, body, bytes: Buffer.concat([Buffer.from(head), body, Buffer.from('\n]}\n')]) }
}

/**
 * What is known after a refresh. An incomplete one removes nothing: chargers it lacks may just not have been returned,
 * so they stay, marked. The version changes with the content of the set, not with its age; a new one is above
 * `lastVersion`.
 */
export async function nextSet(
  before: ChargerSet | null,
  { chargers: listed, unusable, duplicates, gap }: ChargerReading,
  { atMs, lastVersion }: { atMs: number; lastVersion: number },
): Promise<ChargerSet> {
  const seen = new Set(listed.map(({ id }) => id))
  const kept = gap === null || before === null ? [] : before.chargers.filter(({ id }) => !seen.has(id))
  const chargers = [...listed, ...kept.slice(0, Math.max(0, MAX_CHARGERS - listed.length))].sort(
    (one, other) => one.id - other.id,
  )
  const unseen = chargers.map(({ id }) => id).filter((id) => !seen.has(id))
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
