import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { say } from '../../shared/sentences/sentence.ts'
import { type SocketReply, SocketRequest, browserCalls } from '../../shared/contract/browsers.ts'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import { jsonIn } from '../core/read-json.ts'
import { type SignIn, newSecret } from './sign-ins.ts'
import { callerOf, signedIn, type WebContext } from './web-context.ts'
import type { Result } from '../../shared/contract/call.ts'
import type { BrowserCall, CheckedRequest, CheckedResponse } from '../../shared/contract/calls.ts'

const MAX_MESSAGE_BYTES = 8 * 2 ** 20
const HEARTBEAT_MS = 25_000
/** A page with more unread is disconnected, and gets a fresh snapshot when it reconnects. */
const MAX_UNREAD_BYTES = 64 * 2 ** 20

/** Codes of a closing socket (RFC 6455, 7.4). */
const GOING_AWAY = 1001
const SIGNED_OUT = 4401
const BAD_MESSAGE = 1008
const OVERLOADED = 1013

const GOODBYE_MS = 1000

/** Must come before anything may refuse an upgrade: only from here on are connections of refused upgrades closed. */
export async function acceptUpgrades(app: FastifyInstance): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: MAX_MESSAGE_BYTES },
    preClose(done) {
      const { clients } = app.websocketServer
      for (const client of clients) client.close(GOING_AWAY)
      setTimeout(() => clients.forEach((client) => client.terminate()), GOODBYE_MS).unref()
      app.websocketServer.close(() => done())
    },
  })
}

/**
 * `/socket`: a page sends calls, and gets results and the stream of messages. The upgrade needs the cookie, the token and the exact
 * Origin. Returns what closes the connections of browsers that are signed out.
 */
export function addSocket(app: FastifyInstance, context: WebContext): () => void {
  const open = new Set<Line>()
  const heartbeat = setInterval(() => {
    for (const line of open) context.host.background.run('page_updates', line.beat)
  }, HEARTBEAT_MS)
  app.addHook('preClose', async () => clearInterval(heartbeat))

  app.get(
    '/socket',
    {
      websocket: true,
      preValidation: async (request, reply) => {
        if (request.headers.upgrade === undefined) return reply.code(426).send({ message: 'This is a socket.' })
        if (signedIn(context, request) === null) return reply.code(401).send({ message: 'Not signed in.' })
      },
    },
    (socket, request) => {
      const signIn = signedIn(context, request)
      if (signIn === null) return socket.close(SIGNED_OUT)
      const line = startLine(context, socket, request, signIn)
      open.add(line)
      socket.on('close', () => open.delete(line))
    },
  )
  return () => {
    for (const line of open) line.endIfSignedOut()
  }
}

interface Line {
  /** Detects a vanished page. */
  beat: () => void
  endIfSignedOut: () => void
}

/** Serves one page over its connection. */
function startLine(context: WebContext, socket: WebSocket, request: FastifyRequest, signIn: SignIn): Line {
  const { host, log, signIns } = context
  const caller = callerOf(context, request)
  let answersPings = true

  const send = (reply: SocketReply) => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) return socket.close(OVERLOADED)
    socket.send(JSON.stringify(reply))
  }
  const call = async ({ id, channel, request: given }: Extract<SocketRequest, { id: number }>) => {
    try {
      send({ id, result: await answerCall(context, signIn, channel, given) })
    } catch (thrown) {
      // The host returns errors as values: a throw is a bug, and the page must still get an answer.
      log.error('a call failed', { channel: channel.slice(0, 50), error: toAppError(thrown).message })
      send({ id, result: { ok: false, error: new AppError('internal', say('went_wrong')).shape } })
    }
  }
  const stream = host.connect((message) => send({ message }))
  const take = (text: string | null) => {
    if (socket.readyState !== socket.OPEN) return
    const { data: message } = SocketRequest.safeParse(jsonIn(text ?? ''))
    if (message === undefined) return socket.close(BAD_MESSAGE)
    if ('ack' in message) stream.acknowledge(message.ack)
    else host.background.run('page_call', () => call(message))
  }
  socket.on('message', (data, isBinary) =>
    host.background.run('page_call', () => take(isBinary ? null : (data as Buffer).toString('utf8'))),
  )
  socket.on('pong', () => (answersPings = true))
  socket.on('close', () => stream.close())
  // The library closes connections that violate the protocol.
  socket.on('error', (error) => log.debug('a page broke its connection', { error: error.message }))
  return {
    beat: () => {
      if (!answersPings) return socket.terminate()
      answersPings = false
      socket.ping()
    },
    endIfSignedOut: () => {
      if (signIns.find(caller) === null) socket.close(SIGNED_OUT)
    },
  }
}

type Handlers = {
  [Name in BrowserCall]: (
    context: WebContext,
    request: CheckedRequest<Name>,
    signIn: SignIn,
  ) => Promise<CheckedResponse<Name>>
}

/** A browser requests the archive right after it gets the address. */
const MAX_ZIPS = 50

/** Calls about browsers. */
const HANDLERS: Handlers = {
  'uploads.discard': async (context, { tokens }) => ({
    removed: await context.uploads.discard(pathsOf(context, tokens)),
  }),
  'results.zip': async ({ host, zips }, { ids }, signIn) => {
    let hasResults = false
    for (const id of ids) hasResults ||= (await host.results(id)).length > 0
    if (!hasResults) return { token: null }
    const token = newSecret()
    zips.set(`${signIn.id} ${token}`, ids)
    const [oldest] = zips.keys()
    if (zips.size > MAX_ZIPS && oldest !== undefined) zips.delete(oldest)
    return { token }
  },
}

/** Throws what the host throws. */
async function answerCall(
  context: WebContext,
  signIn: SignIn,
  channel: string,
  request: unknown,
): Promise<Result<unknown>> {
  if (!Object.hasOwn(HANDLERS, channel)) return context.host.call(channel, request)
  const name = channel as BrowserCall
  try {
    const parsed = browserCalls[name].request.safeParse(request)
    if (!parsed.success) throw new AppError('bad_request', say('value_not_taken', { field: name }))
    return { ok: true, value: await HANDLERS[name](context, parsed.data as never, signIn) }
  } catch (thrown) {
    return { ok: false, error: toAppError(thrown).shape }
  }
}

/** The paths of the tokens that are still known. */
function pathsOf({ host }: WebContext, tokens: readonly string[]): string[] {
  return tokens.flatMap((token) => {
    try {
      return [host.places.resolve(token)]
    } catch {
      return []
    }
  })
}
