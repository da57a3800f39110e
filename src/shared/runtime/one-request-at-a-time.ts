/*
 * For Node's HTTP servers, of which only the shape is named here, so that the page server and the practice service share it.
 */

type Reader = (chunk: Uint8Array) => void

interface Connection {
  readonly destroyed: boolean
  destroy(): unknown
  listeners(event: 'data'): unknown[]
  on(event: 'data', listener: Reader): unknown
  off(event: 'data', listener: Reader): unknown
  unshift(chunk: Uint8Array): void
}

type Answer<Request, Response> = (request: Request, response: Response) => void

interface Server<Request, Response> {
  on(event: 'connection', listener: (connection: Connection) => void): unknown
  on(event: 'request' | 'checkExpectation', listener: Answer<Request, Response>): unknown
  prependListener(event: 'upgrade', listener: (request: Request) => void): unknown
}

interface Response {
  once(event: 'close', listener: () => void): unknown
}

/** What is read of a connection before it is known whether that was one request. A request of a browser takes less. */
const SLICE_BYTES = 2048

/**
 * Has the server answer one request of a connection at a time, and closes one that sends a request before its last one is answered.
 * No browser does, and the thousands that fit into one packet would open as many files, fill the memory with answers that nobody
 * reads, and make everybody else wait. Node answers some requests by itself, all of a packet's: expectations that it does not know
 * reach `answer` instead, and the server must be made with `requireHostHeader: false`.
 */
export function answerOneAtATime<Req extends { socket: Connection }, Res extends Response>(
  server: Server<Req, Res>,
  answer: Answer<Req, Res>,
): void {
  const answering = new WeakSet<Connection>()
  const handOvers = new WeakMap<Connection, () => void>()
  const answerOne: Answer<Req, Res> = (request, response) => {
    const { socket } = request
    if (answering.has(socket)) {
      socket.destroy()
      return
    }
    answering.add(socket)
    response.once('close', () => answering.delete(socket))
    answer(request, response)
  }
  server.on('request', answerOne)
  server.on('checkExpectation', answerOne)
  // First, so that what is put back comes after what the others put back.
  server.prependListener('upgrade', ({ socket }) => handOvers.get(socket)?.())
  server.on('connection', (connection) => handOvers.set(connection, readInSlices(connection)))
}

/**
 * Gives Node's parser a little at a time: it reads all of what it is given, also when the connection is closed by what was in the
 * beginning. It has taken the connection when this is called. Returns what leaves the connection, and what of it is not parsed yet, to
 * others.
 */
function readInSlices(connection: Connection): () => void {
  const [parse] = connection.listeners('data') as [Reader]
  let rest: Uint8Array | null = null
  const read: Reader = (chunk) => {
    rest = chunk
    while (rest !== null && rest.length > 0 && !connection.destroyed) {
      const slice = rest.subarray(0, SLICE_BYTES)
      rest = rest.subarray(SLICE_BYTES)
      parse(slice)
    }
  }
  connection.off('data', parse)
  connection.on('data', read)
  return () => {
    connection.off('data', read)
    if (rest !== null && rest.length > 0) connection.unshift(rest)
    rest = null
  }
}
