/** What a request says about its origin. Browsers set all of these headers; no page can change them. */
interface RequestFacts {
  method: string
  /** The route that takes it; undefined for none. */
  route: string | undefined
  isUpgrade: boolean
  host: string | undefined
  /** As for `originOf`. */
  publicOrigin: string | null
  origin: string | undefined
  fetchSite: string | undefined
}

interface Refusal {
  status: 403 | 405 | 421
  message: string
}

/** Uptime checks ask for it by GET or HEAD. */
export const HEALTH_ROUTE = '/healthz'
export const METRICS_ROUTE = '/metrics'

/** The one name of this computer that Hangar answers to, because it listens only there. */
const LOCAL_HOST = /^127\.0\.0\.1(?::\d{1,5})?$/
const OTHER_LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * The origin of the page that this Host belongs to; null for a name that Hangar does not answer to. With a public origin that is
 * exactly its host. Without one it is 127.0.0.1 with any port: people on another computer come through `ssh -L`, which may use any
 * local port.
 */
export function originOf(host: string | undefined, publicOrigin: string | null): string | null {
  if (host === undefined) return null
  if (publicOrigin !== null) return plain(`https://${host}`) === plain(publicOrigin) ? publicOrigin : null
  return LOCAL_HOST.test(host) ? `http://${host}` : null
}

/** Without the default port, which proxies may add, and the final dot of a name: neither makes it another one. */
function plain(origin: string): string {
  return origin
    .toLowerCase()
    .replace(/^(https:.*):443$/, '$1')
    .replace(/\.(:\d+)?$/, '$1')
}

/**
 * The address to open instead of another loopback name; null for every other Host. Such a name may lead a browser to
 * another user's listener (`localhost` is `[::1]` first), which would get any cookies and data stored for it.
 */
export function rightAddress(host: string | undefined): string | null {
  const match = host === undefined || LOCAL_HOST.test(host) ? null : OTHER_LOOPBACK_HOST.exec(host)
  return match === null ? null : `http://127.0.0.1${match[1] ?? ''}/`
}

/**
 * Why a request is refused regardless of its sender, or null. Any other name may have been rebound to this computer
 * (DNS rebinding). A request that changes something must come from our own page: same scheme, name and port, which
 * cookies do not distinguish. Monitors on this computer ask at 127.0.0.1 also where the page has a public address.
 */
export function refusalOf({
  method,
  route,
  isUpgrade,
  host,
  publicOrigin,
  origin,
  fetchSite,
}: RequestFacts): Refusal | null {
  const ownOrigin = originOf(host, publicOrigin)
  const isMonitor = (route === HEALTH_ROUTE || route === METRICS_ROUTE) && originOf(host, null) !== null
  if (ownOrigin === null && !isMonitor) {
    const message = publicOrigin === null ? 'Open Hangar at 127.0.0.1.' : 'Hangar does not answer to this name.'
    return { status: 421, message }
  }
  const reads = method === 'GET' || (method === 'HEAD' && route === HEALTH_ROUTE)
  if (!reads && method !== 'POST') return { status: 405, message: 'Hangar has no such request.' }
  if (reads && !isUpgrade) return null
  const isOwnSite = fetchSite === undefined || fetchSite === 'same-origin'
  return ownOrigin !== null && origin !== undefined && plain(origin) === plain(ownOrigin) && isOwnSite
    ? null
    : { status: 403, message: "This is for Hangar's own page only." }
}

/**
 * One cookie of a `Cookie` header; null when it is missing or occurs twice (there is then no telling which one is
 * ours).
 */
export function cookieIn(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? (values[0] ?? null) : null
}
