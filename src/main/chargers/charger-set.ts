import { setImmediate } from 'node:timers/promises'
import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ChargerReading } from '../../shared/chargers/charger-status.ts'

/** What is known of one service's chargers at one time. */
export interface ChargerSet extends Readonly<ChargerReading> {
  version: number
  /** When the service returned them, in Unix milliseconds. */
  atMs: number
  /** The lines of the JSON array of the chargers, without its brackets. The page reads it line by line. */
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

/**
 * After a refresh. An incomplete one removes nothing. A new version is above `lastVersion`, and derived from the time, so that a page which
 * outlived the engine does not mistake another set for the one it has.
 */
export async function nextSet(
  before: ChargerSet | null,
  reading: ChargerReading,
  { atMs, lastVersion }: { atMs: number; lastVersion: number },
): Promise<ChargerSet> {
  const seen = new Set(reading.chargers.map(({ id }) => id))
  const kept = reading.gap === null || before === null ? [] : before.chargers.filter(({ id }) => !seen.has(id))
  const chargers = [...reading.chargers, ...kept].slice(0, MAX_CHARGERS).sort((one, other) => one.id - other.id)
  const body = await bodyOf(chargers)
  const isSame = before?.body.equals(body) === true
  const version = isSame ? before.version : Math.max(Math.trunc(atMs), lastVersion + 1)
  return { ...reading, chargers, atMs, version, body }
}
