import type { ChargePoint } from '../../../../shared/charger.ts'

/** What the first line tells of the set. */
interface SetFacts {
  /** Unix milliseconds when the service gave the chargers. */
  atMs: number
  /** Ids of those that the last refresh did not see, though it could not tell that they are gone. */
  unseen: readonly number[]
}

/** Fewer characters than this wait for more: some four hundred chargers. */
const PIECE_CHARS = 262_144
const END = ']}'
const CUT_OFF = 'The chargers were cut off on their way to this window.'

/**
 * Reads what is served at `chargersPath` as it arrives: a JSON document with a line of facts, a line for each charger, and
 * one that ends it. `take` gets the chargers some hundreds at a time, so that they are worked on while more of them are on
 * their way. Rejects when the document is cut off or none.
 */
export async function readChargers(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (chargers: ChargePoint[]) => void,
): Promise<SetFacts> {
  let facts: SetFacts | null = null
  let isWhole = false
  const takeLines = (text: string) => {
    let lines = text
    if (facts === null) {
      const headEnd = text.indexOf('\n')
      facts = parsed(`${text.slice(0, headEnd)}${END}`) as SetFacts
      lines = text.slice(headEnd + 1)
    }
    if (lines.endsWith(`\n${END}\n`)) {
      isWhole = true
      lines = lines.slice(0, -END.length - 2)
    }
    const list = lines.trimEnd().replace(/,$/, '')
    if (list !== '') take(parsed(`[${list}]`) as ChargePoint[])
  }
  let waiting = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    waiting += next.value
    const end = waiting.length < PIECE_CHARS ? -1 : waiting.lastIndexOf(`,\n`)
    if (end === -1) continue
    takeLines(waiting.slice(0, end + 2))
    waiting = waiting.slice(end + 2)
  }
  takeLines(waiting)
  if (facts === null || !isWhole) throw new Error(CUT_OFF)
  return facts
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new Error(CUT_OFF, { cause })
  }
}
