import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { callerOf, signedIn, type WebContext } from './web-context.ts'

export interface ConnectionLimits {
  /** Connections that have not shown a cookie of a sign-in. One more closes the oldest. */
  strangers: number
  /** Connections of signed-in browsers that no stranger can push out. */
  trusted: number
  /** Until the headers of a request are there. */
  headersMs: number
  /** Until a whole request is there. */
  requestMs: number
  /** The same for an upload of a browser that is signed in. */
  uploadMs: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  strangers: 128,
  trusted: 384,
  headersMs: 10_000,
  requestMs: 10_000,
  uploadMs: 30 * 60_000,
}

/**
 * Lets signed-in browsers go on while other users of this computer hold connections open. Must be the first hook: also a
 * request that is refused may leave its body half sent.
 */
export function limitConnections(app: FastifyInstance, context: WebContext, limits: ConnectionLimits): void {
  const strangers = new Set<Socket>()
  const trusted = new Set<Socket>()

  app.server.headersTimeout = limits.headersMs
  app.server.on('connection', (socket) => {
    strangers.add(socket)
    socket.on('close', () => {
      strangers.delete(socket)
      trusted.delete(socket)
    })
    const [oldest] = strangers
    if (strangers.size > limits.strangers) oldest?.destroy()
  })

  app.addHook('onRequest', async (request) => {
    const { socket } = request.raw
    const isKnown = context.signIns.withCookie(callerOf(context, request)) !== null
    if (isKnown && trusted.size < limits.trusted && strangers.delete(socket)) trusted.add(socket)
    const isUpload = isKnown && request.url === '/upload' && signedIn(context, request) !== null
    endUnlessWhole(request.raw, isUpload ? limits.uploadMs : limits.requestMs)
  })
}

/** How long the body of a request may take, which Node can say for all requests alike only. */
function endUnlessWhole(request: IncomingMessage, withinMs: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if ((length === undefined || length === '0') && encoding === undefined) return
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, withinMs)
  timer.unref()
  request.once('end', () => clearTimeout(timer))
}
