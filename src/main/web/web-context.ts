import type { FastifyReply, FastifyRequest } from 'fastify'
import { VIEW_PARAMETER } from '../../shared/contract/page-bridge.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import type { UiHost } from '../page/ui-host.ts'
import type { PendingUploads } from './pending-uploads.ts'
import { cookieIn, hostOf, originOf } from './request-rules.ts'
import { isSecret, type Caller, type SignIn, type SignIns } from './sign-ins.ts'

/** The part of the host that the web shell needs. */
export type WebHost = Pick<
  UiHost,
  'background' | 'call' | 'connect' | 'places' | 'picture' | 'output' | 'results' | 'chargerData'
>

/** What every route works with. */
export interface WebContext {
  host: WebHost
  signIns: SignIns
  uploads: PendingUploads
  /** The ids of results that a page wants in one archive, by its sign-in and a token: too many for an address. */
  zips: Map<string, readonly string[]>
  /** The origin of the page where it is published; null for a page at 127.0.0.1. */
  publicOrigin: string | null
  cookieName: string
  clock: Clock
  log: Logger
  onSignIn: () => void
  /** The folder for uploads; null until a person chose one. */
  inboxDir: () => Promise<string | null>
}

/** At 127.0.0.1 the port that this server listens on belongs to the address: another user's program may pass requests on. */
export function callerOf({ publicOrigin, cookieName }: WebContext, request: FastifyRequest): Caller {
  const { cookie } = request.headers
  const address = publicOrigin ?? `${originOf(hostOf(request), null)} at ${request.socket.localPort}`
  return { address, cookie: cookieIn(cookie, cookieName) }
}

/**
 * The sign-in of a request with a valid cookie and token: it may change things. Browsers let a page choose one header of a socket, its
 * protocols, of which the second is the token.
 */
export function signedIn(context: WebContext, request: FastifyRequest): SignIn | null {
  const { 'x-hangar-token': token, 'sec-websocket-protocol': protocols = '' } = request.headers
  const found = context.signIns.find(callerOf(context, request))
  return found !== null && isSecret(token ?? protocols.split(/, ?/)[1], found.token) ? found : null
}

/**
 * The sign-in that may see a picture: of a request of our own page, with the cookie and the secret of `inView`. A page on another port,
 * which has the cookie as well, is only same-site.
 */
export function viewerOf(context: WebContext, request: FastifyRequest): SignIn | null {
  const { 'sec-fetch-site': site = 'same-origin' } = request.headers
  const { [VIEW_PARAMETER]: view } = request.query as Record<string, unknown>
  const found = site === 'same-origin' ? context.signIns.find(callerOf(context, request)) : null
  return found !== null && isSecret(view, found.view) ? found : null
}

/** For routes that only our own page may read. */
export function forViewers(context: WebContext) {
  const preHandler = async (request: FastifyRequest, reply: FastifyReply) => {
    if (viewerOf(context, request) === null)
      return reply.code(403).send({ message: "This is for Hangar's own page only." })
  }
  return { preHandler }
}
