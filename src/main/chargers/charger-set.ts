import { setImmediate } from 'node:timers/promises'
import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ChargerReading } from '../../shared/chargers/charger-status.ts'

/** What is known of one service's chargers at one time. */
export interface ChargerSet extends Readonly<ChargerReading> {
  /** Ids among them that the last refresh did not return, though it could not prove them gone. */
  unseen: readonly number[]
  version: number
  /** When the service returned them, in Unix milliseconds. */
  atMs: number
  /** The chargers as JSON, one a line. */
  body: Buffer
}

const MAX_CHARGERS = 200_000
/** Chargers written or read before other work has its turn: about five milliseconds. */
export const SLICE = 1000

/** The chargers as JSON, one a line. */
export async function bodyOf(chargers: readonly ChargePoint[]): Promise<Buffer> {
  const lines: string[] = []
  for (const charger of chargers) {
    lines.push(JSON.stringify(charger))
    if (lines.length % SLICE === 0) await setImmediate()
  }
  return Buffer.from(lines.join(',\n'))
}

/** A JSON document of facts and, below them in the same object, of chargers. */
export function documentOf(facts: object, body: Buffer): Buffer {
  const head = `${JSON.stringify(facts).slice(0, -1)},"chargers":[\n`
  return Buffer.concat([Buffer.from(head), body, Buffer.from('\n]}\n')])
}

/**
 * What is known after a refresh. An incomplete one removes nothing: chargers it lacks may just not have been returned,
 * so they stay, marked. The version changes with the content of the set, not with its age; a new one is above
 * `lastVersion`, and derived from the time, so that a page which outlived a restart of the engine does not mistake another
 * set for the one it has.
 */
export async function nextSet(
  before: ChargerSet | null,
  reading: ChargerReading,
  { atMs, lastVersion }: { atMs: number; lastVersion: number },
): Promise<ChargerSet> {
  const listed = reading.chargers
  const seen = new Set(listed.map(({ id }) => id))
  const kept = reading.gap === null || before === null ? [] : before.chargers.filter(({ id }) => !seen.has(id))
  const chargers = [...listed, ...kept].slice(0, MAX_CHARGERS).sort((one, other) => one.id - other.id)
  const unseen = chargers.map(({ id }) => id).filter((id) => !seen.has(id))
  const body = await bodyOf(chargers)
  const isSame = before !== null && before.body.equals(body) && String(before.unseen) === String(unseen)
  const version = isSame ? before.version : Math.max(Math.trunc(atMs), lastVersion + 1)
  return { ...reading, chargers, unseen, atMs, version, body }
}
