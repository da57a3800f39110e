import type { NetworkError } from '../../src/shared/runtime/ports.ts'
import type { Answer } from '../../src/main/core/answer.ts'
import type { DownloadAnswer, ImageService, RemoteJob, Slot } from '../../src/main/core/image-service.ts'
import { hashOf } from './memory-files.ts'
import type { VirtualClock } from './virtual-clock.ts'

export type ServiceWeather = 'fine' | 'down' | 'loses-answers' | 'errors' | 'rate-limits' | 'refuses-key' | 'elsewhere'

/** A status that says no more than itself. */
export const statusAnswer = (status: number, message: string | null = null) =>
  ({ kind: 'status', status, message, retryAfterMs: null }) as const

interface SimulatedJob {
  content: string
  doneAtMs: number
  operation: string
}

/** The image service in memory and virtual time: limits as documented, a ledger, and weather. It outlives the engine. */
export class SimulatedService implements ImageService {
  weather: ServiceWeather = 'fine'
  credits = 1_000_000
  /** What a dispatch costs, and what the service says that the full pipeline does. */
  cost = { dispatch: 1, pipeline: 1 }
  /** Dispatches that were refused for want of credits. */
  refused402 = 0
  /** One entry a charge: what was bought. */
  readonly charges: string[] = []
  /** When each authenticated request was counted. */
  readonly countedAtMs: number[] = []
  /** When each picture arrived, served or refused. */
  readonly dispatchedAtMs: number[] = []
  refused429 = 0
  /** The document does not say whether job and image ids are equal. */
  imageIdOf: (jobId: string) => string = (jobId) => `I-${jobId}`
  readonly #clock: VirtualClock
  readonly #random: () => number
  readonly #jobs = new Map<string, SimulatedJob>()

  constructor(clock: VirtualClock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  forget(): void {
    this.#jobs.clear()
  }

  dispatch(
    request: { operation: string; bytes: Uint8Array; languages: string[]; format: string },
    options: { slot: Slot; signal: AbortSignal },
  ): Promise<Answer<{ jobId: string }>> {
    const onCounted = (atMs: number) => this.dispatchedAtMs.push(atMs)
    return this.#call({ ...options, onCounted }, 300, () => {
      if (this.credits < this.cost.dispatch) {
        this.refused402 += 1
        return statusAnswer(402, 'no credits')
      }
      this.credits -= this.cost.dispatch
      const content = hashOf(request.bytes)
      this.charges.push(`${content}|${request.operation}|${[...request.languages].sort().join(',')}|${request.format}`)
      const jobId = `R${this.charges.length}`
      this.#jobs.set(jobId, {
        content,
        operation: request.operation,
        doneAtMs: this.#clock.monotonicMs() + 2000 + 20_000 * this.#random(),
      })
      return { kind: 'ok', status: 202, value: { jobId } }
    })
  }

  job(id: string, options: { slot: Slot; signal: AbortSignal }): Promise<Answer<RemoteJob>> {
    return this.#call(options, 50, () => {
      const job = this.#jobs.get(id)
      if (job === undefined) return statusAnswer(404, 'No query results')
      const done = this.#clock.monotonicMs() >= job.doneAtMs
      const image = {
        id: this.imageIdOf(id),
        originalSize: 1,
        optimizedSize: 1,
        convertedFormat: null,
        convertedSize: null,
        compressionPercentage: 1,
      }
      const translations = [{ languageCode: 'en', seoFilename: 'a', seoAltText: 'b' }]
      return {
        kind: 'ok',
        status: 200,
        value: {
          jobId: id,
          status: done ? 'completed' : 'optimizing',
          image: done ? { ...image, translations } : null,
        },
      }
    })
  }

  async optimized(
    imageId: string,
    sink: (chunk: Uint8Array) => Promise<void>,
    options: { slot: Slot; signal: AbortSignal },
  ): Promise<DownloadAnswer> {
    const job = [...this.#jobs].find(([jobId]) => this.imageIdOf(jobId) === imageId)?.[1]
    const bytes = Buffer.from(`jpeg:${job?.content.slice(0, 8) ?? ''}`)
    const answer = await this.#call<null>(options, 200, () =>
      job === undefined ? statusAnswer(404, 'not there') : { kind: 'ok', status: 200, value: null },
    )
    if (answer.kind === 'ok') await sink(bytes)
    if (answer.kind === 'status' && answer.status === 307) return { from: 'redirect' }
    return { from: 'service', answer }
  }

  balance(options: { slot: Slot; signal: AbortSignal }): Promise<Answer<number>> {
    return this.#call(options, 50, () => ({ kind: 'ok', status: 200, value: this.credits }))
  }

  afford({ images }: { images: number }, options: { slot: Slot; signal: AbortSignal }) {
    return this.#call(options, 50, () => {
      const required = images * this.cost.pipeline
      const shortfall = Math.max(0, required - this.credits)
      const value = { canAfford: shortfall === 0, required, balance: this.credits, shortfall }
      return { kind: 'ok' as const, status: 200, value }
    })
  }

  async languages(): Promise<Answer<{ code: string; name: string; nativeName: string }[]>> {
    return { kind: 'ok', status: 200, value: [{ code: 'en', name: 'English', nativeName: 'English' }] }
  }

  /** Travel there, being counted, the effect, travel back; each with the present weather. */
  async #call<Value>(
    { slot, signal, onCounted }: { slot: Slot; signal: AbortSignal; onCounted?: (atMs: number) => void },
    travelMs: number,
    effect: () => Answer<Value>,
  ): Promise<Answer<Value>> {
    await this.#travel(travelMs, signal)
    const error = (code: NetworkError['code']): NetworkError => ({ code, message: '' })
    if (this.weather === 'down') {
      slot.answered()
      return { kind: 'notSent', error: error('refused') }
    }
    if (signal.aborted) {
      slot.answered()
      return { kind: 'maybeSent', error: error('aborted') }
    }
    const nowMs = this.#clock.monotonicMs()
    const inWindow = this.countedAtMs.filter((atMs) => atMs > nowMs - 60_000).length
    this.countedAtMs.push(nowMs)
    onCounted?.(nowMs)
    if (inWindow >= 60 || this.weather === 'rate-limits') {
      this.refused429 += inWindow >= 60 ? 1 : 0
      slot.rateLimited(this.#random() < 0.5 ? null : 3000)
      return statusAnswer(429, 'too many')
    }
    const answer = this.#answerIn(effect)
    await this.#travel(travelMs, signal)
    slot.answered()
    if (this.weather === 'loses-answers' || signal.aborted) return { kind: 'maybeSent', error: error('reset') }
    return answer
  }

  #answerIn<Value>(effect: () => Answer<Value>): Answer<Value> {
    if (this.weather === 'refuses-key') return statusAnswer(401)
    if (this.weather === 'elsewhere') return statusAnswer(307)
    const answer = effect()
    // An error after the effect is the worst case: it may have been charged.
    return this.weather === 'errors' ? statusAnswer(500) : answer
  }

  #travel(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel()
        signal.removeEventListener('abort', done)
        resolve()
      }
      const cancel = this.#clock.setTimer(ms * (0.5 + this.#random()), done)
      signal.addEventListener('abort', done, { once: true })
    })
  }
}
