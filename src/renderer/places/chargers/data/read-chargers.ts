import type { ChargePoint } from '../../../../shared/chargers/charger.ts'
import type { Sentence } from '../../../../shared/sentences/sentence.ts'

/** Shorter pieces wait for more; about four hundred chargers. */
const PIECE_CHARS = 262_144

export class ReadFailed extends Error {
  readonly sentence: Sentence

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(JSON.stringify(sentence), options)
    this.sentence = sentence
  }
}

/**
 * Streams what is served at `chargersPath`: a JSON array with a charger a line. `take` gets the chargers in pieces of some hundreds, so
 * that they are processed while more arrive. Rejects if the document is malformed or cut off.
 */
export async function readChargers(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (chargers: ChargePoint[]) => void | Promise<void>,
): Promise<void> {
  let waiting = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    waiting += next.value
    const end = waiting.length < PIECE_CHARS ? -1 : waiting.lastIndexOf(`,\n`)
    if (end === -1) continue
    await take(parsed(`${waiting.slice(0, end)}]`))
    waiting = `[${waiting.slice(end + 2)}`
  }
  await take(parsed(waiting))
}

function parsed(json: string): ChargePoint[] {
  try {
    return JSON.parse(json) as ChargePoint[]
  } catch (cause) {
    throw new ReadFailed({ code: 'hangar_silent' }, { cause })
  }
}
