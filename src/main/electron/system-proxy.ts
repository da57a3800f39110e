import type { Session } from 'electron'
import type { ProxyAddresses } from '../services/connections.ts'
import { isLoopbackHost } from '../services/base-url.ts'

/** A proxy script from the network may hang; a request is then made directly. */
const RESOLVE_MS = 5000

const NONE: ProxyAddresses = { https: '', http: '', noProxy: '' }

const SCHEMES: Record<string, string> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5',
  SOCKS: 'socks5',
}

/** The first usable entry of what a proxy script returns, such as `PROXY proxy.example:8080; DIRECT`. SOCKS 4 is not supported. */
export function parseProxyList(list: string): ProxyAddresses {
  for (const way of list.split(';')) {
    const [kind = '', place = ''] = way.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return NONE
    const scheme = SCHEMES[kind.toUpperCase()]
    if (scheme === undefined || !URL.canParse(`${scheme}://${place}`)) continue
    const address = `${scheme}://${place}`
    return { https: address, http: address, noProxy: '' }
  }
  return NONE
}

/**
 * The environment's proxy if it names one (only that can hold a password), else the system's, asked for each request
 * because a computer changes networks.
 */
export function systemProxy(
  session: Pick<Session, 'resolveProxy'>,
  fromEnvironment: ProxyAddresses,
): (url: URL) => Promise<ProxyAddresses> {
  if (`${fromEnvironment.https}${fromEnvironment.http}` !== '') return async () => fromEnvironment
  return async (url) => {
    if (isLoopbackHost(url.hostname)) return NONE
    const late = Promise.withResolvers<string>()
    const timer = setTimeout(() => late.resolve('DIRECT'), RESOLVE_MS)
    try {
      // Only the origin: a proxy script must not learn what is requested.
      return parseProxyList(await Promise.race([session.resolveProxy(`${url.origin}/`), late.promise]))
    } catch {
      return NONE
    } finally {
      clearTimeout(timer)
    }
  }
}
