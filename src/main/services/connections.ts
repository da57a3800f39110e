import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import tls from 'node:tls'
import type * as undici from 'undici'
import type { buildConnector, Dispatcher } from 'undici'
import type { HttpRequest } from '../../shared/runtime/ports.ts'
import { isLoopbackHost } from './base-url.ts'
import { FORBIDDEN } from './network-error.ts'

/** A dispatcher for a host. Call `release` when the request is over. */
interface Route {
  dispatcher: Dispatcher
  isProxyError: (error: Error) => boolean
  release(): void
}

/** As in the environment; an empty text means none. */
export interface ProxyAddresses {
  https: string
  http: string
  noProxy: string
}

interface ConnectionsOptions {
  /** PEM; asked for once, at the first secure connection. */
  certificates: () => string[]
  undici: Undici
}

export type Undici = typeof undici

type Kind = 'direct' | 'secure' | 'proxy'

/** Our own timer ends a request that cannot connect; this only frees its socket. */
const SOCKET_CONNECT_TIMEOUT_MS = 60_000

/**
 * Fresh connections for one request each, and kept-alive ones. This computer is never reached through a proxy. HTTP/1.1 only: a request
 * owns its connection, so it is known how far it got.
 */
export class Connections {
  readonly #options: ConnectionsOptions
  /** By kind and, for a proxy, by address. */
  readonly #kept = new Map<string, Dispatcher>()
  readonly #proxyErrors = new WeakSet<Error>()
  #secureContext: tls.SecureContext | null = null

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  /** `proxy` is the one for this address. Null when the proxy's address is invalid. */
  route(
    url: URL,
    { freshConnection: fresh = false, mayConnectTo }: Pick<HttpRequest, 'freshConnection' | 'mayConnectTo'>,
    proxy: ProxyAddresses,
  ): Route | null {
    if (mayConnectTo !== undefined && !fresh) throw new Error('a kept connection was made with another check, or none')
    const kind = viaProxy(url, proxy) ? 'proxy' : url.protocol === 'https:' ? 'secure' : 'direct'
    const { https, http } = proxy
    if (kind === 'proxy' && ![https, http].every((address) => address === '' || isProxyAddress(address))) return null
    const dispatcher = fresh
      ? this.#open(kind, url.origin, true, proxy, mayConnectTo)
      : this.#keep(kind, url.origin, proxy)
    return {
      dispatcher,
      isProxyError: (error) => this.#proxyErrors.has(error),
      release: () => {
        if (fresh) dispatcher.destroy(() => undefined)
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.values()].map((dispatcher) => dispatcher.destroy()))
  }

  #keep(kind: Kind, origin: string, proxy: ProxyAddresses): Dispatcher {
    const name = kind === 'proxy' ? JSON.stringify([proxy.https, proxy.http, proxy.noProxy]) : kind
    const kept = this.#kept.get(name) ?? this.#open(kind, origin, false, proxy)
    this.#kept.set(name, kept)
    return kept
  }

  #open(
    kind: Kind,
    origin: string,
    fresh: boolean,
    proxy: ProxyAddresses,
    mayConnectTo?: (address: string) => boolean,
  ): Dispatcher {
    const { Agent, Client, EnvHttpProxyAgent } = this.#options.undici
    const secure = kind === 'direct' ? {} : { secureContext: this.#trust() }
    const options = {
      allowH2: false,
      // Time-outs are ours: undici's do not see an upload's progress.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Sends "connection: close", and never sends a second request.
      ...(fresh ? { pipelining: 0 } : {}),
      connect: {
        timeout: SOCKET_CONNECT_TIMEOUT_MS,
        ...secure,
        ...(mayConnectTo === undefined ? {} : { lookup: checkedLookup(mayConnectTo) }),
      },
    }
    if (kind !== 'proxy') return fresh ? new Client(origin, options) : new Agent(options)
    const { https, http, noProxy } = proxy
    return new EnvHttpProxyAgent({
      ...options,
      connectTimeout: SOCKET_CONNECT_TIMEOUT_MS,
      httpsProxy: https,
      httpProxy: http,
      noProxy,
      proxyTunnel: true,
      proxyTls: { ...secure, allowH2: false },
      requestTls: secure,
      clientFactory: (proxy: URL, given: object) =>
        new Client(proxy, { ...given, connect: this.#markingErrors(given) }),
    })
  }

  /** The connector of a proxy, which marks its errors: those of the target occur inside the tunnel. */
  #markingErrors(given: object): buildConnector.connector {
    const { connect } = given as { connect: buildConnector.connector }
    return (options, callback) =>
      connect(options, (...result) => {
        if (result[0] !== null) this.#proxyErrors.add(result[0])
        callback(...result)
      })
  }

  #trust(): tls.SecureContext {
    return (this.#secureContext ??= tls.createSecureContext({ ca: this.#options.certificates() }))
  }
}

/** The system's look-up without forbidden addresses: what is checked here is what is connected to. */
function checkedLookup(mayConnectTo: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const allowed = found.filter(({ address }) => mayConnectTo(address))
      const [first] = allowed
      if (first === undefined) callback(Object.assign(new Error('no address may be asked'), { code: FORBIDDEN }), [])
      else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
}

/** What Node trusts (its own list and NODE_EXTRA_CA_CERTS) and what this computer trusts. */
export function trustedCertificates(): string[] {
  return [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])]
}

function viaProxy(url: URL, { https, http }: ProxyAddresses): boolean {
  return `${https}${http}` !== '' && !isLoopbackHost(url.hostname)
}

function isProxyAddress(text: string): boolean {
  return URL.canParse(text) && /^(https?|socks5?):$/.test(new URL(text).protocol)
}

/** The proxy variables; lower case wins, as curl does it. */
export function proxyFromEnvironment(env: Record<string, string | undefined>): ProxyAddresses {
  const read = (name: string) => env[name.toLowerCase()] ?? env[name] ?? ''
  return { https: read('HTTPS_PROXY'), http: read('HTTP_PROXY'), noProxy: read('NO_PROXY') }
}
