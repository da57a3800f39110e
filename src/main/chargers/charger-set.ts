import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ListGap } from '../../shared/chargers/charger-status.ts'

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

/** Chargers processed before yielding to other work: about five milliseconds. */
export const SLICE = 100

export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

const TAIL = Buffer.from('\n]}\n')

/**
 * Writes a set as JSON, one charger per line, in slices: fifty thousand at once would block everything else.
 * `versionOf` may ask whether the chargers are the same as in another set.
 */
export async function encodeSet(
  facts: Omit<ChargerSet, 'bytes' | 'body' | 'version'>,
  versionOf: (isSameAs: (other: ChargerSet) => boolean) => number,
): Promise<ChargerSet> {
  const chunks = await encodeChargers(facts.chargers)
  const version = versionOf((other) => isJoined(other.body, chunks))
  const { atMs, unseen } = facts
  const head = Buffer.from(`${JSON.stringify({ version, atMs, unseen }).slice(0, -1)},"chargers":[\n`)
  const bytes = await joined([head, ...chunks, TAIL])
  return { ...facts, version, bytes, body: bytes.subarray(head.byteLength, bytes.byteLength - TAIL.byteLength) }
}

async function encodeChargers(chargers: readonly ChargePoint[]): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  for (let at = 0; at < chargers.length; at += SLICE) {
    const lines = chargers.slice(at, at + SLICE).map((charger) => JSON.stringify(charger))
    chunks.push(Buffer.from(`${at === 0 ? '' : ',\n'}${lines.join(',\n')}`))
    await yieldToEventLoop()
  }
  return chunks
}

function isJoined(whole: Buffer, chunks: readonly Buffer[]): boolean {
  let at = 0
  for (const chunk of chunks) {
    if (!whole.subarray(at, at + chunk.byteLength).equals(chunk)) return false
    at += chunk.byteLength
  }
  return at === whole.byteLength
}

/** Like `Buffer.concat`, which blocks for too long with a hundred megabytes. */
async function joined(chunks: readonly Buffer[]): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const [n, chunk] of chunks.entries()) {
    at += chunk.copy(whole, at)
    if (n % SLICE === 0) await yieldToEventLoop()
  }
  return whole
}
