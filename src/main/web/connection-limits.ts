import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf, signedIn, type WebContext } from './web-context.ts'

export interface ConnectionLimits {
  /** Max connections without the cookie of a sign-in or the token for metrics. One more closes the oldest. */
  strangers: number
  /** Max connections of signed-in browsers and of monitors; strangers cannot displace them. */
  trusted: number
  /** Timeout for the headers of a request. */
  headersMs: number
  /** Timeout for a complete request. */
  requestMs: number
  /** Timeout for an upload of a signed-in browser. */
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
 * Keeps signed-in browsers, and monitors with the token for metrics, working while other users of this computer hold connections open.
 * Must be the first hook, since even a refused request may leave its body half sent.
 */
export function limitConnections(
  app: FastifyInstance,
  context: WebContext,
  limits: ConnectionLimits,
  isMonitor: (request: FastifyRequest) => boolean,
): void {
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
    if ((isKnown || isMonitor(request)) && trusted.size < limits.trusted && strangers.delete(socket))
      trusted.add(socket)
    const isUpload = isKnown && request.url === '/upload' && signedIn(context, request) !== null
    endUnlessWhole(request.raw, isUpload ? limits.uploadMs : limits.requestMs)
  })
}

/** Limits the time for the body of one request; Node only has one limit for all requests. */
function endUnlessWhole(request: IncomingMessage, withinMs: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if ((length === undefined || length === '0') && encoding === undefined) return
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, withinMs)
  timer.unref()
  request.once('end', () => clearTimeout(timer))
}
