import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Clock, HttpOutcome, HttpPort, HttpRequest, HttpResponse, Logger } from '../../shared/runtime/ports.ts'
import { Connections, proxyFromEnvironment, trustedCertificates } from './connections.ts'
import type { ProxyAddresses, Undici } from './connections.ts'
import { Exchange, type BodyReader } from './exchange.ts'
import { multipartBody, wholeBody, type RequestBody } from './request-body.ts'
import { networkError } from './network-error.ts'

export interface HttpOptions {
  clock: Clock
  version: string
  /** Default: the environment's; a function never rejects. */
  proxy?: ProxyAddresses | ((url: URL) => Promise<ProxyAddresses>)
  /** PEM; default: Node's, NODE_EXTRA_CA_CERTS and the system's. */
  certificates?: () => string[]
  /** Called for the first request, so that a start does not wait for it. */
  loadUndici?: () => Promise<Undici>
  log?: Logger
  totalTimeoutMs?: number
}

/** Allows uploading 10 MiB at 160 kbit/s; the rate budget counts an answer as lost after ten minutes. */
const TOTAL_TIMEOUT_MS = 9 * 60_000
/** The text of an error, where a picture was requested. */
const MAX_TEXT_BYTES = 1024 * 1024

/**
 * The one way out to the network (docs/decisions/0006-http-transport.md). Requests ask for uncompressed bodies; an encoded body is never
 * decoded. `download` rejects with what `sink` threw.
 */
export function createHttp(options: HttpOptions): HttpPort {
  const { certificates = trustedCertificates, loadUndici = () => import('undici') } = options
  let connections: Connections | null = null
  const load = async () => {
    const undici = await loadUndici()
    connections ??= new Connections({ certificates, undici })
  }
  const failures = options.log === undefined ? null : new FailureLog(options.log)
  const proxyGiven = options.proxy ?? proxyFromEnvironment(process.env)

  async function exchange<Body>(
    request: HttpRequest,
    read: (response: HttpResponse) => BodyReader<Body>,
  ): Promise<HttpOutcome<Body>> {
    const outcome = await send(request, read)
    failures?.note(new URL(request.url), outcome)
    return outcome
  }

  async function send<Body>(
    request: HttpRequest,
    read: (response: HttpResponse) => BodyReader<Body>,
  ): Promise<HttpOutcome<Body>> {
    const url = new URL(request.url)
    const address = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(address) !== 0 && request.mayConnectTo?.(address) === false)
      return { kind: 'notSent', error: networkError('forbidden') }
    const proxy = typeof proxyGiven === 'function' ? await proxyGiven(url) : proxyGiven
    // Fails where an update has replaced the files of a program that runs.
    if (connections === null) await load().catch((error: unknown) => failures?.unexpected(url, error))
    if (connections === null) return { kind: 'notSent', error: networkError('other', 'undici could not be loaded') }
    const route = connections.route(url, request, proxy)
    if (route === null) return { kind: 'notSent', error: networkError('proxy', 'the address of the proxy is none') }
    const running = new Exchange({
      clock: options.clock,
      request,
      headers: { 'user-agent': `Hangar/${options.version}`, 'accept-encoding': 'identity' },
      body: bodyOf(request),
      totalTimeoutMs: options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS,
      read,
      ...route,
      onUnexpected: (error) => failures?.unexpected(url, error),
    })
    try {
      running.start()
      return await running.outcome
    } finally {
      route.release()
    }
  }

  return {
    request: (request) => exchange(request, () => inMemory(request.maxBytes)),
    download: (request, sink) =>
      exchange(request, ({ status }) =>
        status === 200 ? { maxBytes: request.maxBytes, chunk: sink, done: () => null } : toText(request.maxBytes),
      ),
    close: async () => connections?.close(),
  }
}

function toText(maxBytes: number): BodyReader<string | null> {
  const text = inMemory(Math.min(maxBytes, MAX_TEXT_BYTES))
  return { ...text, done: () => new TextDecoder().decode(text.done()) }
}

function bodyOf({ multipart, body }: HttpRequest): RequestBody | null {
  if (multipart !== undefined) return multipartBody(multipart, `hangar-${randomBytes(16).toString('hex')}`)
  return body === undefined ? null : wholeBody(body)
}

function inMemory(maxBytes: number): BodyReader<Uint8Array> {
  const chunks: Uint8Array[] = []
  return {
    maxBytes,
    chunk: (chunk) => {
      chunks.push(chunk)
    },
    done: () => Buffer.concat(chunks),
  }
}

/** Logs a failure once, not with each try, until the host answers again. */
class FailureLog {
  readonly #log: Logger
  /** The last failure of each host that has not answered since. */
  readonly #last = new Map<string, string>()

  constructor(log: Logger) {
    this.#log = log
  }

  note(url: URL, outcome: HttpOutcome<unknown>): void {
    const { host } = url
    if (outcome.kind === 'response') {
      if (this.#last.delete(host)) this.#log.info('a service answers again', { host })
      return
    }
    const { code, message } = outcome.error
    // Given up here: it says nothing of the service.
    if (code === 'aborted' || this.#last.get(host) === message) return
    this.#last.set(host, message)
    this.#log.warn('a service did not answer', { host, error: message })
  }

  /** An error that is none of the network. Its words, which may be anything, are in the log alone. */
  unexpected(url: URL, error: unknown): void {
    this.#log.error('a request could not be made', { host: url.host, error: String(error) })
  }
}
