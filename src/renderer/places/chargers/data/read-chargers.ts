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
/** Stands for the line of facts in front of a later piece. */
const GOES_ON = '{"chargers":['

/** Why the chargers could not be read. */
export class ReadFailed extends Error {
  readonly sentence: Sentence

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(JSON.stringify(sentence), options)
    this.sentence = sentence
  }
}

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
  const takePiece = async (json: string) => {
    const { chargers, ...others } = parsed(facts === null ? json : GOES_ON + json)
    facts ??= others
    await take(chargers)
    return facts
  }
  let waiting = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    waiting += next.value
    const end = waiting.length < PIECE_CHARS ? -1 : waiting.lastIndexOf(`,\n`)
    if (end === -1) continue
    await takePiece(waiting.slice(0, end) + END)
    waiting = waiting.slice(end + 2)
  }
  return takePiece(waiting.endsWith(`${END}\n`) ? waiting : '')
}

function parsed(json: string): SetFacts & { chargers: ChargePoint[] } {
  try {
    return JSON.parse(json) as SetFacts & { chargers: ChargePoint[] }
  } catch (cause) {
    throw new ReadFailed({ code: 'chargers_cut_off' }, { cause })
  }
}
