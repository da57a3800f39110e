import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { say } from '../../shared/sentences/sentence.ts'
import { piecesOf } from '../../shared/contract/pieces.ts'
import { type SocketReply, SocketRequest } from '../../shared/contract/browsers.ts'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import type { Caller, SignIn } from './sign-ins.ts'
import { callHost, ownCall } from './own-calls.ts'
import { callerOf, type WebContext } from './web-context.ts'

const MAX_MESSAGE_BYTES = 8 * 2 ** 20
const MAX_SOCKETS = 32
const MAX_CALLS_AT_ONCE = 200
const HELLO_MS = 5000
const HEARTBEAT_MS = 25_000
/** A page with more unread than this is disconnected; it reconnects and gets a fresh snapshot. */
const MAX_UNREAD_BYTES = 64 * 2 ** 20

/** Codes of a closing socket (RFC 6455, 7.4). */
const GOING_AWAY = 1001
const SIGNED_OUT = 4401
const TOO_MANY = 4429
const BAD_MESSAGE = 1008
const OVERLOADED = 1013

/** How long a page may take to close its end when the server stops. */
const GOODBYE_MS = 1000

/** Must come before anything may refuse an upgrade: only from here on are connections of refused upgrades closed. */
export async function acceptUpgrades(app: FastifyInstance): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: MAX_MESSAGE_BYTES },
    preClose(done) {
      const { clients } = app.websocketServer
      for (const client of clients) client.close(GOING_AWAY)
      const timer = setTimeout(() => {
        for (const client of clients) client.terminate()
      }, GOODBYE_MS)
      app.websocketServer.close(() => {
        clearTimeout(timer)
        done()
      })
    },
  })
}

/**
 * `/socket`: the contract between page and host. The upgrade needs the cookie and the exact Origin (request-rules.ts),
 * the first message the token; then the page sends calls and gets results and the stream of messages.
 */
export function addSocket(app: FastifyInstance, context: WebContext): void {
  const open = new Set<Line>()
  context.signIns.onEnd((id) => {
    for (const line of open) line.endIfOf(id)
  })
  const heartbeat = setInterval(() => {
    for (const line of open) context.host.background.run('page_updates', () => line.beat())
  }, HEARTBEAT_MS)
  app.addHook('preClose', async () => clearInterval(heartbeat))

  app.get(
    '/socket',
    {
      websocket: true,
      preValidation: async (request, reply) => {
        if (request.headers.upgrade === undefined) return reply.code(426).send({ message: 'This is a socket.' })
        if (context.signIns.withCookie(callerOf(context, request)) === null)
          return reply.code(401).send({ message: 'Not signed in.' })
      },
    },
    (socket, request) => {
      if (open.size >= MAX_SOCKETS) return socket.close(TOO_MANY)
      const line = new Line(context, socket, request)
      open.add(line)
      socket.on('close', () => {
        open.delete(line)
        line.closed()
      })
    },
  )
}

/** The connection of one page. */
class Line {
  readonly #context: WebContext
  readonly #socket: WebSocket
  readonly #caller: Caller
  readonly #helloTimer: ReturnType<typeof setTimeout>
  #signIn: SignIn | null = null
  #stream: ReturnType<WebContext['host']['connect']> | null = null
  #calls = 0
  #answersPings = true

  constructor(context: WebContext, socket: WebSocket, request: FastifyRequest) {
    this.#context = context
    this.#socket = socket
    this.#caller = callerOf(context, request)
    this.#helloTimer = setTimeout(() => socket.close(SIGNED_OUT), HELLO_MS)
    socket.on('message', (data, isBinary) =>
      context.host.background.run('page_call', () => this.#take(isBinary ? null : (data as Buffer).toString('utf8'))),
    )
    socket.on('pong', () => (this.#answersPings = true))
    // The library closes connections that violate the protocol; there is nothing else to do.
    socket.on('error', (error) => context.log.debug('a page broke its connection', { error: error.message }))
  }

  /** Detects a vanished page, and keeps the sign-in of an open one alive. */
  beat(): void {
    if (this.#signIn !== null && !this.#context.signIns.keepAlive(this.#signIn.id))
      return this.#socket.close(SIGNED_OUT)
    if (!this.#answersPings) return this.#socket.terminate()
    this.#answersPings = false
    this.#socket.ping()
  }

  endIfOf(signInId: string): void {
    if (this.#signIn?.id === signInId) this.#socket.close(SIGNED_OUT)
  }

  closed(): void {
    clearTimeout(this.#helloTimer)
    this.#stream?.close()
    this.#stream = null
  }

  #take(text: string | null): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    const parsed = SocketRequest.safeParse(jsonIn(text))
    if (!parsed.success) return this.#socket.close(BAD_MESSAGE)
    const message = parsed.data
    if ('hello' in message) this.#welcome(message.hello)
    else if (this.#stream === null) this.#socket.close(SIGNED_OUT)
    else if ('ack' in message) this.#stream.acknowledge(message.ack)
    else this.#context.host.background.run('page_call', () => this.#call(message.id, message.channel, message.request))
  }

  #welcome(token: string): void {
    const signIn = this.#context.signIns.withToken(this.#caller, token)
    if (signIn === null || this.#stream !== null) return this.#socket.close(SIGNED_OUT)
    clearTimeout(this.#helloTimer)
    this.#signIn = signIn
    this.#send({ welcome: true, view: signIn.view })
    this.#stream = this.#context.host.connect((message) => this.#send({ message }))
  }

  async #call(id: number, channel: string, request: unknown): Promise<void> {
    if (this.#calls >= MAX_CALLS_AT_ONCE) return this.#socket.close(OVERLOADED)
    this.#calls += 1
    try {
      const own = this.#signIn === null ? null : ownCall(this.#context, this.#signIn, channel, request)
      const result = await (own ?? callHost(this.#context, channel, request))
      this.#send({ id, result })
    } catch (thrown) {
      // The host returns errors as values, so a throw is a bug in Hangar; the page must still get an answer.
      const { message } = toAppError(thrown)
      this.#context.log.error('a call failed', { channel: channel.slice(0, 50), error: message })
      const { shape } = new AppError('internal', say('went_wrong'))
      this.#send({ id, result: { ok: false, error: shape } })
    } finally {
      this.#calls -= 1
    }
  }

  #send(reply: SocketReply): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > MAX_UNREAD_BYTES) return this.#socket.close(OVERLOADED)
    for (const piece of piecesOf(JSON.stringify(reply))) this.#socket.send(piece)
  }
}

function jsonIn(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}
