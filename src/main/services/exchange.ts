import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type {
  Clock,
  HttpOutcome,
  HttpRequest,
  HttpResponse,
  NetworkError,
  NetworkErrorCode,
} from '../../shared/runtime/ports.ts'
import type { RequestBody } from './request-body.ts'
import { networkError, readNetworkError, type Phase } from './network-error.ts'

/** Takes the body of one answer. Nothing more is read until what `chunk` returns has settled. */
export interface BodyReader<Body> {
  maxBytes: number
  chunk(chunk: Uint8Array): Promise<void> | void
  done(): Body
}

interface ExchangeOptions<Body> {
  clock: Clock
  dispatcher: Dispatcher
  request: HttpRequest
  /** Headers sent in addition to `request.headers`. */
  headers: Record<string, string>
  body: RequestBody | null
  /** For the whole exchange, whatever progress it makes. */
  totalTimeoutMs: number
  /** Whether an error arose on the way to a proxy. */
  isProxyError: (error: Error) => boolean
  /** Gets an error that says nothing of the network: the outcome has none of its words. */
  onUnexpected: (error: unknown) => void
  read: (response: HttpResponse) => BodyReader<Body>
}

/**
 * One request and its answer. undici calls `onRequestStart` on an established connection before the first byte: from then on the request
 * may have been sent, and a failure before it certainly sent nothing. Once the outcome is known, later bytes are dropped, and a connection
 * that is established too late is closed unused. Rejects only with what the reader threw.
 */
export class Exchange<Body> implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions<Body>
  readonly #secure: boolean
  readonly #resolve: (outcome: HttpOutcome<Body>) => void
  readonly #reject: (reason: unknown) => void
  readonly #cleanUps: (() => void)[] = []
  readonly outcome: Promise<HttpOutcome<Body>>
  #phase: Phase = 'connecting'
  #over = false
  #controller: Dispatcher.DispatchController | null = null
  #response: HttpResponse | null = null
  #reader: BodyReader<Body> | null = null
  #receivedBytes = 0
  #lastProgressMs = 0
  /** One chunk at a time. */
  #reading: Promise<void> = Promise.resolve()
  #chunksInHand = 0

  constructor(options: ExchangeOptions<Body>) {
    this.#options = options
    this.#secure = options.request.url.startsWith('https:')
    const { promise, resolve, reject } = Promise.withResolvers<HttpOutcome<Body>>()
    this.outcome = promise
    this.#resolve = resolve
    this.#reject = reject
  }

  start(): void {
    const { clock, dispatcher, request, headers, body, totalTimeoutMs } = this.#options
    if (request.signal?.aborted === true) return this.#fail('aborted')
    const onAbort = () => this.#fail('aborted')
    request.signal?.addEventListener('abort', onAbort, { once: true })
    this.#cleanUps.push(
      () => request.signal?.removeEventListener('abort', onAbort),
      clock.setTimer(request.connectTimeoutMs, () => this.#phase === 'connecting' && this.#fail('connect_timeout')),
      clock.setTimer(totalTimeoutMs, () => this.#fail('timeout')),
    )
    const url = new URL(request.url)
    const length: Record<string, string> =
      body === null ? {} : { 'content-type': body.contentType, 'content-length': String(body.contentLength) }
    const outgoing = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { ...request.headers, ...headers, ...length },
      body: body === null ? null : Readable.from(body.chunks()),
    }
    try {
      dispatcher.dispatch(outgoing, this)
    } catch (error) {
      this.onResponseError(null, error instanceof Error ? error : new Error(String(error)))
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) return controller.abort(new Error('given up before it was sent'))
    if (this.#phase !== 'connecting') {
      // undici is about to send it again: nothing may be sent twice.
      controller.abort(new Error('not sent twice'))
      return this.#fail('reset')
    }
    this.#controller = controller
    if (this.#options.request.mayStart?.() === false) return this.#fail('connect_timeout')
    this.#phase = 'sending'
    this.#progress()
    this.#watchIdle(this.#options.request.idleTimeoutMs)
  }

  onBodySent(): void {
    this.#progress()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#progress()
    if (this.#over || status < 200) return
    this.#phase = 'receiving'
    this.#response = { status, headers: flatten(headers) }
    this.#reader = this.#options.read(this.#response)
    if (Number(this.#response.headers['content-length'] ?? 0) > this.#reader.maxBytes) this.#fail('too_large')
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#progress()
    const reader = this.#reader
    // On resuming, undici reports an empty chunk for a body without a length: pausing on it would never end.
    if (this.#over || reader === null || chunk.byteLength === 0) return
    this.#receivedBytes += chunk.byteLength
    if (this.#receivedBytes > reader.maxBytes) return this.#fail('too_large')
    controller.pause()
    this.#chunksInHand += 1
    this.#reading = this.#reading.then(async () => {
      try {
        if (!this.#over) await reader.chunk(chunk)
      } catch (error) {
        this.#end(() => this.#reject(error))
      }
      this.#chunksInHand -= 1
      this.#progress()
      if (!this.#over && this.#chunksInHand === 0) controller.resume()
    })
  }

  onResponseEnd(): void {
    this.#afterReading(() => {
      const response = this.#response
      const reader = this.#reader
      if (this.#over || response === null || reader === null) return
      this.#end(() => this.#resolve({ kind: 'response', response, body: reader.done() }))
    })
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const facts = { secure: this.#secure, viaProxy: this.#options.isProxyError(error) }
    const read = readNetworkError(error, this.#phase, facts)
    if (read.code === 'other' && !this.#over) this.#options.onUnexpected(error)
    this.#endWith(read)
  }

  #fail(code: NetworkErrorCode): void {
    this.#endWith(networkError(code))
  }

  #endWith(error: NetworkError): void {
    const kind = this.#phase === 'connecting' ? 'notSent' : 'maybeSent'
    this.#end(() => this.#resolve({ kind, error }))
  }

  /** The first outcome wins; it is reported once the reader has finished its chunk. */
  #end(report: () => void): void {
    if (this.#over) return
    this.#over = true
    for (const cleanUp of this.#cleanUps.splice(0)) cleanUp()
    this.#controller?.abort(new Error('over'))
    if (this.#chunksInHand === 0) report()
    else this.#afterReading(report)
  }

  /** A step that fails must not leave the caller without an outcome. */
  #afterReading(step: () => void): void {
    this.#reading.then(step).catch((error: unknown) => {
      this.#end(() => undefined)
      this.#reject(error)
    })
  }

  #progress(): void {
    this.#lastProgressMs = this.#options.clock.monotonicMs()
  }

  /** One timer at a time, for when the idle time-out would expire. */
  #watchIdle(delayMs: number): void {
    const { clock, request } = this.#options
    const cancel = clock.setTimer(delayMs, () => {
      const quietMs = this.#chunksInHand > 0 ? 0 : clock.monotonicMs() - this.#lastProgressMs
      if (quietMs >= request.idleTimeoutMs) this.#fail('timeout')
      else this.#watchIdle(request.idleTimeoutMs - quietMs)
    })
    this.#cleanUps.push(cancel)
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  return flat
}
