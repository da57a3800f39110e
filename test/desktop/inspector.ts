import { PATIENCE_MS } from '../until.ts'

/** A page that goes away in the middle of a question never answers it: there is time to ask again. */
const ANSWER_MS = PATIENCE_MS / 2

/** The main process through Node's inspector: evaluates functions in it. Not Playwright, which changes theme and downloads. */
export class Inspector {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #count = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply
      this.#waiting.get(reply.id)?.(reply)
      this.#waiting.delete(reply.id)
    })
    socket.addEventListener('close', () => {
      for (const [id, settle] of this.#waiting) settle({ id, error: { message: 'the process ended' } })
      this.#waiting.clear()
    })
  }

  static async connect(address: string): Promise<Inspector> {
    const socket = new WebSocket(address)
    await inTime(`inspector at ${address}`, (open, fail) => {
      socket.addEventListener('open', open)
      socket.addEventListener('error', () => fail(new Error(`no inspector at ${address}`)))
    })
    return new Inspector(socket)
  }

  /**
   * The value of an expression, as JSON; a promise is awaited. Throws what it throws, and when no answer comes.
   * The inspector holds the promise by its number: one that nothing else holds may be collected before it is settled. One that fails
   * counts as handled from the start, since Hangar ends at a rejection that is not.
   */
  async evaluate(expression: string): Promise<unknown> {
    const what = `answer to ${expression}`
    const held = `((answer) => (answer.catch(() => undefined), answer))((async () => (${expression}))())`
    const { objectId } = await this.#ask(what, 'Runtime.evaluate', { expression: held })
    try {
      const params = { promiseObjectId: objectId, returnByValue: true }
      return (await this.#ask(what, 'Runtime.awaitPromise', params)).value
    } finally {
      this.#ask(what, 'Runtime.releaseObject', { objectId }).catch(() => undefined)
    }
  }

  async #ask(what: string, method: string, params: object): Promise<RemoteObject> {
    this.#count += 1
    const id = this.#count
    const reply = await inTime<Reply>(what, (settle) => {
      this.#waiting.set(id, settle)
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
    if (reply.error !== undefined) throw new Error(reply.error.message)
    const { exceptionDetails, result } = reply.result!
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result ?? {}
  }

  /** A process with an inspector attached does not end. */
  close(): void {
    this.#socket.close()
  }
}

function inTime<Value>(
  what: string,
  begin: (settle: (value: Value) => void, fail: (error: Error) => void) => void,
): Promise<Value> {
  return new Promise((settle, fail) => {
    const timer = setTimeout(() => fail(new Error(`no ${what}`)), ANSWER_MS)
    begin(
      (value) => {
        clearTimeout(timer)
        settle(value)
      },
      (error) => {
        clearTimeout(timer)
        fail(error)
      },
    )
  })
}

interface RemoteObject {
  objectId?: string
  value?: unknown
}

interface Reply {
  id: number
  error?: { message: string }
  result?: {
    result?: RemoteObject
    exceptionDetails?: { text: string; exception?: { description?: string } }
  }
}
