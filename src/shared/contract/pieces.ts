/*
 * A long message crosses the socket in pieces, because receiving it blocks the page: tens of milliseconds for the ids of a
 * hundred thousand jobs. The first character of a piece distinguishes it from a whole message, which is JSON and begins with
 * a brace.
 */
const MORE_FOLLOWS = '+'
const THE_LAST = '='

/** In characters. Receiving a piece of this size costs a page about a millisecond. */
const PIECE_LENGTH = 128 * 1024

/** Splits the JSON text of an object for sending: unchanged when it is short, else pieces of `length` characters or one more. */
export function* piecesOf(json: string, length = PIECE_LENGTH): Generator<string> {
  if (json.length <= length) {
    yield json
    return
  }
  let from = 0
  while (json.length - from > length) {
    const to = from + length + (isHighSurrogate(json.charCodeAt(from + length - 1)) ? 1 : 0)
    yield MORE_FOLLOWS + json.slice(from, to)
    from = to
  }
  yield THE_LAST + json.slice(from)
}

/** The receiving end, one per connection: takes messages in order, and returns the JSON text once it is complete. */
export class PieceJoiner {
  #pieces: string[] = []

  add(received: string): string | null {
    if (received.startsWith(MORE_FOLLOWS)) {
      this.#pieces.push(received.slice(1))
      return null
    }
    if (!received.startsWith(THE_LAST)) return received
    const json = this.#pieces.join('') + received.slice(1)
    this.#pieces = []
    return json
  }
}

/** The first half of a surrogate pair: a piece that ended there could not be encoded as UTF-8. */
function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
