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

const LOOPBACK_HOST = /^(?:localhost|127\.(?:\d{1,3})\.(?:\d{1,3})\.(?:\d{1,3})|\[::1\])(?::\d{1,5})?$/i

/** Any loopback name with any port: from afar people come through `ssh -L`, whose port is theirs to choose. */
export function isLoopbackHost(host: string | undefined): host is string {
  return host !== undefined && LOOPBACK_HOST.test(host)
}

/**
 * Why a request is turned away whoever sends it, or null. A name that is not loopback is DNS rebinding. What changes
 * something must come from our own page: same scheme, name and port, which a cookie does not tell apart.
 */
export function refusalOf({ method, isUpgrade, host, origin, fetchSite }: RequestFacts): Refusal | null {
  if (!isLoopbackHost(host))
    return { status: 421, message: 'Open Hangar by a name of this computer, such as 127.0.0.1.' }
  if (method !== 'GET' && method !== 'POST') return { status: 405, message: 'Hangar has no such request.' }
  if (method === 'GET' && !isUpgrade) return null
  const isOwnOrigin = origin?.toLowerCase() === `http://${host.toLowerCase()}`
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
