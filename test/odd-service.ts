import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OddJob {
  id: string
  imageId: string
  bytes: Buffer
}

type Reply = (request: IncomingMessage, response: ServerResponse, job: OddJob | null) => boolean | Promise<boolean>

/**
 * An image service over HTTP that tells its client what a test wants: jobs end at once, and the compressed file is the upload. The
 * functions below answer in its place when they return true.
 */
export class OddService {
  balance = 120
  /** What a picture costs, whatever `afford` says. */
  charge = 3
  /** The `required` of one picture as it stands in the answer. */
  stated: unknown = 3
  readonly jobs: OddJob[] = []
  /** Every request: method and path. */
  readonly asked: string[] = []
  onDispatch: Reply = () => false
  onPoll: Reply = () => false
  onDownload: Reply = () => false
  onCredits: Reply = () => false
  readonly #server = http.createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })

  static async open(): Promise<OddService> {
    const service = new OddService()
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve))
    return service
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get baseUrl(): string {
    return `${this.origin}/api/v1`
  }

  /** How often something was asked, by the start of method and path below `/api/v1`. */
  count(what: string): number {
    return this.asked.filter((each) => each.startsWith(what)).length
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.replace(/^\/api\/v1/, '')
    this.asked.push(`${request.method} ${path}`)
    const body = await bodyOf(request)
    if (request.method === 'POST') {
      this.balance -= this.charge
      const n = this.jobs.length + 1
      const job = { id: `JOB-${n}`, imageId: `IMAGE-${n}`, bytes: uploadIn(body) }
      this.jobs.push(job)
      if (await this.onDispatch(request, response, job)) return
      return json(response, 202, { data: { job_id: job.id, status: 'pending', message: 'dispatched' } })
    }
    if (path.startsWith('/credits')) {
      if (await this.onCredits(request, response, null)) return
      if (path.startsWith('/credits/balance')) return json(response, 200, { data: { balance: this.balance } })
      return json(response, 200, {
        data: { can_afford: true, required: this.stated, balance: this.balance, shortfall: 0 },
      })
    }
    const [, kind, id] = path.split('/')
    const job = this.jobs.find((each) => (kind === 'jobs' ? each.id : each.imageId) === id) ?? null
    if (kind === 'jobs') {
      if (await this.onPoll(request, response, job)) return
      if (job === null) return json(response, 404, { message: 'No query results for model [Image].' })
      return json(response, 200, { data: this.completed(job) })
    }
    if (await this.onDownload(request, response, job)) return
    if (job === null) return json(response, 404, { error: 'not available' })
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': job.bytes.length }).end(job.bytes)
  }

  /** The answer to a poll of a finished job. */
  completed({ id, imageId, bytes }: OddJob) {
    const translations = ['en', 'de'].map((code) => ({
      language_code: code,
      seo_filename: `name of ${id}`,
      seo_alt_text: `text of ${id}`,
    }))
    const image = { id: imageId, status: 'completed', original_size: bytes.length, optimized_size: bytes.length }
    return { job_id: id, status: 'completed', image: { ...image, translations } }
  }
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** The file of a multipart body: the only part with a file name. */
function uploadIn(body: Buffer): Buffer {
  const boundary = body.subarray(0, body.indexOf('\r\n'))
  const start = body.indexOf('\r\n\r\n', body.indexOf('filename=')) + 4
  return body.subarray(start, body.indexOf(`\r\n${boundary.toString()}`, start))
}
