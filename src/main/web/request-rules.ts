/** What a request says about where it comes from. Browsers set all of it; no page can change it. */
export interface RequestFacts {
  method: string
  isUpgrade: boolean
  host: string | undefined
  origin: string | undefined
  fetchSite: string | undefined
}

export interface Refusal {
  status: 403 | 405 | 421
  message: string
}

/** The one name that Hangar answers to, because it listens there alone. */
const OWN_HOST = /^127\.0\.0\.1(?::\d{1,5})?$/
const OTHER_LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** 127.0.0.1 with any port: from another computer people come through `ssh -L`, where the port is theirs to choose. */
export function isOwnHost(host: string | undefined): host is string {
  return host !== undefined && OWN_HOST.test(host)
}

/**
 * The address to open instead of another name of this computer; null for every other Host. A browser may reach such a name
 * at a listener of another user (`localhost` is `[::1]` first), who would get whatever was once kept for it.
 */
export function rightAddress(host: string | undefined): string | null {
  const match = host === undefined || isOwnHost(host) ? null : OTHER_LOOPBACK_HOST.exec(host)
  return match === null ? null : `http://127.0.0.1${match[1] ?? ''}/`
}

/**
 * Why a request is turned away regardless of its sender, or null. Any other name may have been rebound to this computer (DNS
 * rebinding). What changes something must come from our own page: same scheme, name and port, which a cookie does not
 * tell apart.
 */
export function refusalOf({ method, isUpgrade, host, origin, fetchSite }: RequestFacts): Refusal | null {
  if (!isOwnHost(host)) return { status: 421, message: 'Open Hangar at 127.0.0.1.' }
  if (method !== 'GET' && method !== 'POST') return { status: 405, message: 'Hangar has no such request.' }
  if (method === 'GET' && !isUpgrade) return null
  const isOwnOrigin = origin?.toLowerCase() === `http://${host}`
  const isOwnSite = fetchSite === undefined || fetchSite === 'same-origin'
  return isOwnOrigin && isOwnSite ? null : { status: 403, message: "This is for Hangar's own page only." }
}

/** One cookie of a `Cookie` header; null when it is not there, or there twice (then nobody knows which one is ours). */
export function cookieIn(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? (values[0] ?? null) : null
}
