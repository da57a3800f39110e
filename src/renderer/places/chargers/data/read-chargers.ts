import type { ChargePoint } from '../../../../shared/chargers/charger.ts'
import type { Sentence } from '../../../../shared/sentences/sentence.ts'

/** The first line of the document: facts about the set. */
interface SetFacts {
  /** When the service returned the chargers, in Unix milliseconds. */
  atMs: number
  /** Ids of those that the last refresh did not return, though it could not prove them gone. */
  unseen: readonly number[]
}

/** Shorter pieces wait for more; about four hundred chargers. */
const PIECE_CHARS = 262_144
const END = ']}'
/** Why the chargers could not be read. */
export class ReadFailed extends Error {
  readonly sentence: Sentence

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(JSON.stringify(sentence), options)
    this.sentence = sentence
  }
}

const CUT_OFF: Sentence = { code: 'chargers_cut_off' }

/**
 * Streams what is served at `chargersPath`: a JSON document with a line of facts, a line per charger and a closing line. `take`
 * gets the chargers in pieces of some hundreds, so that they are processed while more arrive. Rejects if the document is
 * malformed or cut off.
 */
export async function readChargers(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (chargers: ChargePoint[]) => void | Promise<void>,
): Promise<SetFacts> {
  let facts: SetFacts | null = null
  let isWhole = false
  const takeLines = async (text: string) => {
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
    if (list !== '') await take(parsed(`[${list}]`) as ChargePoint[])
  }
  let waiting = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    waiting += next.value
    const end = waiting.length < PIECE_CHARS ? -1 : waiting.lastIndexOf(`,\n`)
    if (end === -1) continue
    await takeLines(waiting.slice(0, end + 2))
    waiting = waiting.slice(end + 2)
  }
  await takeLines(waiting)
  if (facts === null || !isWhole) throw new ReadFailed(CUT_OFF)
  return facts
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new ReadFailed(CUT_OFF, { cause })
  }
}
