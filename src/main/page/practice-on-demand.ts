import { randomBytes } from 'node:crypto'
import type { PracticeAddress, PracticeOptions } from '../../practice/protocol.ts'
import type { ChildPort, HttpOutcome, HttpPort, HttpRequest, Logger } from '../../shared/runtime/ports.ts'
import { toAppError } from '../../shared/sentences/errors.ts'
import { startPracticeChild, type PracticeChild } from '../children/practice-child.ts'
import { networkError } from '../services/network-error.ts'

/** Stands for wherever the process listens; `.invalid` is no host anywhere (RFC 2606, section 2). */
const ORIGIN = 'https://practice.invalid'

interface PracticeOnDemandDeps {
  child: ChildPort
  /** Takes every other request too. */
  http: HttpPort
  log: Logger & { hideSecret(secret: string): void }
  options: PracticeOptions
}

/**
 * The practice service of the app: one address and one set of keys for the whole run, behind which its process starts with
 * the first request, and again with the first one after it ended. A request while it does not start is `notSent`.
 */
export class PracticeOnDemand implements HttpPort {
  readonly address: PracticeAddress
  readonly #deps: PracticeOnDemandDeps
  #running: Promise<PracticeChild> | null = null
  #isClosed = false

  constructor(deps: PracticeOnDemandDeps) {
    this.#deps = deps
    const key = () => randomBytes(24).toString('hex')
    this.address = { imageBaseUrl: `${ORIGIN}/api/v1`, chargerBaseUrl: ORIGIN, apiKey: key(), partnerToken: key() }
    for (const secret of [this.address.apiKey, this.address.partnerToken]) deps.log.hideSecret(secret)
  }

  request(request: HttpRequest): Promise<HttpOutcome<Uint8Array>> {
    return this.#reach(request, (reachable) => this.#deps.http.request(reachable))
  }

  download(request: HttpRequest, sink: (chunk: Uint8Array) => Promise<void>): Promise<HttpOutcome<string | null>> {
    return this.#reach(request, (reachable) => this.#deps.http.download(reachable, sink))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const running = await this.#running?.catch(() => null)
    await running?.stop()
    await this.#deps.http.close()
  }

  async #reach<Body>(
    request: HttpRequest,
    send: (request: HttpRequest) => Promise<HttpOutcome<Body>>,
  ): Promise<HttpOutcome<Body>> {
    if (!request.url.startsWith(`${ORIGIN}/`)) return send(request)
    try {
      const { chargerBaseUrl } = await this.#start()
      return send({ ...request, url: chargerBaseUrl + request.url.slice(ORIGIN.length) })
    } catch (error) {
      const { message } = toAppError(error)
      this.#deps.log.error('the practice service did not start', { error: message })
      return { kind: 'notSent', error: networkError('other', message) }
    }
  }

  #start(): Promise<PracticeChild> {
    const { child, options } = this.#deps
    const { apiKey, partnerToken } = this.address
    if (this.#isClosed) return Promise.reject(new Error('closed'))
    this.#running ??= startPracticeChild(child, { ...options, apiKey, partnerToken }).then(
      (started) => {
        started.onEnd(() => (this.#running = null))
        return started
      },
      (error: unknown) => {
        this.#running = null
        throw error
      },
    )
    return this.#running
  }
}
