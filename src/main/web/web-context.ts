import type { FastifyReply, FastifyRequest } from 'fastify'
import { SECRET_PARAMETER } from '../../shared/contract/page-bridge.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import type { UiHost } from '../page/ui-host.ts'
import type { PendingUploads } from './pending-uploads.ts'
import { isSecret, type Caller, type SignIn, type SignIns } from './sign-ins.ts'

export type WebHost = Pick<
  UiHost,
  'background' | 'call' | 'connect' | 'places' | 'picture' | 'output' | 'results' | 'chargerData'
>

/** What every route works with. */
export interface WebContext {
  host: WebHost
  signIns: SignIns
  uploads: PendingUploads
  /** The ids for one archive, by sign-in and token: too many for an address. */
  zips: Map<string, readonly string[]>
  /** Where the page is published; null for 127.0.0.1. */
  publicOrigin: string | null
  cookieName: string
  clock: Clock
  log: Logger
  onSignIn: () => void
  /** The folder for uploads; null until a person chose one. */
  inboxDir: () => Promise<string | null>
}

/** With the port that this server listens on: another user's program may pass requests from its own port on to it. */
export function callerOf({ publicOrigin, cookieName }: WebContext, request: FastifyRequest): Caller {
  const { cookie } = request.headers
  const address = publicOrigin ?? `${originOf(hostOf(request), null)} at ${request.socket.localPort}`
  return { address, cookie: cookieIn(cookie, cookieName) }
}

/**
 * The sign-in with a valid cookie and token, which may change things. A page can choose one header of a socket, its protocols: the
 * second is the token.
 */
export function signedIn(context: WebContext, request: FastifyRequest): SignIn | null {
  const { 'x-hangar-token': token, 'sec-websocket-protocol': protocols = '' } = request.headers
  const found = context.signIns.find(callerOf(context, request))
  return found !== null && isSecret(token ?? protocols.split(/, ?/)[1], found.token) ? found : null
}

/**
 * The sign-in that may see a picture, with the cookie and the secret in the address. A page on another port, which has the cookie as
 * well, is only same-site.
 */
export function signInOfAddress(context: WebContext, request: FastifyRequest): SignIn | null {
  const { 'sec-fetch-site': site = 'same-origin' } = request.headers
  const { [SECRET_PARAMETER]: secret } = request.query as Record<string, unknown>
  const found = site === 'same-origin' ? context.signIns.find(callerOf(context, request)) : null
  return found !== null && isSecret(secret, found.addressSecret) ? found : null
}

/** For routes that only our own page may read. */
export function forOwnPage(context: WebContext) {
  const preHandler = async (request: FastifyRequest, reply: FastifyReply) => {
    if (signInOfAddress(context, request) === null)
      return reply.code(403).send({ message: "This is for Hangar's own page only." })
  }
  return { preHandler }
}

/** Uptime checks ask for it by GET or HEAD. */
export const HEALTH_ROUTE = '/healthz'
export const METRICS_ROUTE = '/metrics'

/** The one name of this computer that Hangar answers to, because it listens only there. */
const LOCAL_ORIGIN = /^http:\/\/127\.0\.0\.1(?::\d{1,5})?$/

/**
 * The origin of the page at this Host, without a default port or a final dot; null for a name that is not answered. With a public origin
 * that is its host alone, else 127.0.0.1 with any port: `ssh -L` may use any.
 */
export function originOf(host: string | undefined, publicOrigin: string | null): string | null {
  if (host === undefined) return null
  const [scheme, defaultPort] = publicOrigin === null ? ['http', ':80'] : ['https', ':443']
  const plain = host
    .toLowerCase()
    .replace(/\.?(:\d+)?$/, (_, port = '') => (port === defaultPort ? '' : port) as string)
  const origin = `${scheme}://${plain}`
  return (publicOrigin === null ? LOCAL_ORIGIN.test(origin) : origin === publicOrigin) ? origin : null
}

/** The one `Host` of a request. */
export function hostOf({ raw }: FastifyRequest): string | undefined {
  const hosts = raw.headersDistinct['host'] ?? []
  return hosts.length === 1 ? hosts[0] : undefined
}

/**
 * Why a request is refused, signed in or not. Another name may have been rebound to this computer (DNS rebinding). A change must come from
 * our own page: same scheme, name and port, which cookies do not distinguish. Monitors ask at 127.0.0.1 also where the page has a public
 * address.
 */
export function refusalOf(
  request: FastifyRequest,
  publicOrigin: string | null,
): { status: number; message: string } | null {
  const { method, routeOptions, headers } = request
  const { origin, upgrade, 'sec-fetch-site': site = 'same-origin' } = headers
  const ownOrigin = originOf(hostOf(request), publicOrigin)
  const isMonitored = routeOptions.url === HEALTH_ROUTE || routeOptions.url === METRICS_ROUTE
  if (ownOrigin === null && !(isMonitored && originOf(hostOf(request), null) !== null)) {
    const message = publicOrigin === null ? 'Open Hangar at 127.0.0.1.' : 'Hangar does not answer to this name.'
    return { status: 421, message }
  }
  const reads = method === 'GET' || (method === 'HEAD' && routeOptions.url === HEALTH_ROUTE)
  if (!reads && method !== 'POST') return { status: 405, message: 'Hangar has no such request.' }
  if (reads && upgrade === undefined) return null
  const scheme = publicOrigin === null ? 'http://' : 'https://'
  const isOwnPage =
    origin?.startsWith(scheme) === true && originOf(origin.slice(scheme.length), publicOrigin) === ownOrigin
  if (ownOrigin !== null && isOwnPage && site === 'same-origin') return null
  return { status: 403, message: "This is for Hangar's own page only." }
}

/** Null for a cookie that is missing or occurs twice: there is no telling which is ours. */
export function cookieIn(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? (values[0] ?? null) : null
}
