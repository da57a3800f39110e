import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Result } from '../../shared/contract/call.ts'
import type { Place } from '../../shared/contract/places.ts'
import { AppError, toAppError, type AppErrorCode } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { inboxPlace, saveToInbox } from './inbox.ts'
import { signedIn, type WebContext } from './web-context.ts'

/** A day starts with the first upload of a sign-in. */
export const UPLOAD_LIMITS = {
  fileBytes: 200 * 2 ** 20,
  bytesADay: 20 * 2 ** 30,
  filesADay: 50_000,
  atOnce: 8,
  /** An upload that receives nothing for this long is ended: it takes one of the `atOnce` places. */
  idleMs: 120_000,
}
export type UploadLimits = typeof UPLOAD_LIMITS

const DAY_MS = 86_400_000
const Query = z.object({ path: z.string().max(4096) })

/** What a sign-in uploaded in its current day; `sinceMs` is monotonic. */
interface Uploaded {
  sinceMs: number
  bytes: number
  files: number
  running: number
}

/** Of failures without a status of their own. After 413 and 415 the page goes on with its other files. */
const STATUS: Partial<Record<AppErrorCode, number>> = {
  bad_request: 415,
  path_outside_root: 400,
  rate_limited: 429,
  disk_full: 507,
  internal: 500,
}

const refusal = (status: number, sentence: Sentence) => Object.assign(new AppError('bad_request', sentence), { status })

/**
 * `POST /upload?path=…`: the bytes of one file with its name, or its path in a dropped folder. The file goes into the inbox; the answer
 * is a result with its place.
 */
export async function addUpload(app: FastifyInstance, context: WebContext, limits: UploadLimits): Promise<void> {
  const bySignIn = new Map<string, Uploaded>()
  const take = async (request: FastifyRequest): Promise<Place> => {
    const signIn = signedIn(context, request)
    const { data } = Query.safeParse(request.query)
    if (signIn === null) throw refusal(401, say('signed_out'))
    if (data === undefined) throw refusal(400, say('upload_malformed'))
    const nowMs = context.clock.monotonicMs()
    const uploaded = bySignIn.get(signIn.id) ?? { sinceMs: nowMs, bytes: 0, files: 0, running: 0 }
    bySignIn.set(signIn.id, uploaded)
    if (nowMs - uploaded.sinceMs > DAY_MS) Object.assign(uploaded, { sinceMs: nowMs, bytes: 0, files: 0 })
    uploaded.running += 1
    try {
      return context.host.places.register(await save(context, limits, uploaded, data.path, request.raw), 'file')
    } finally {
      uploaded.running -= 1
    }
  }

  await app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers()
    uploads.addContentTypeParser('application/octet-stream', (_request, _bytes, done) => done(null))
    uploads.post('/upload', async (request, reply) => {
      const { raw } = request
      raw.setTimeout(limits.idleMs, () => {
        // Whole, it may take long to be written.
        if (!raw.complete) raw.destroy()
      })
      try {
        return { ok: true, value: await take(request) } satisfies Result<Place>
      } catch (thrown) {
        // A browser reads no answer before it has sent everything.
        raw.resume()
        const { code, message, shape } = toAppError(thrown)
        if (code === 'internal') context.log.warn('an upload failed', { error: message })
        const status = (thrown as { status?: number }).status ?? STATUS[code] ?? 409
        return reply.code(status).send({
          ok: false,
          error: code === 'internal' ? { ...shape, sentence: say('went_wrong') } : shape,
        } satisfies Result<Place>)
      }
    })
  })
}

async function save(
  { inboxDir: chosen, uploads }: WebContext,
  limits: UploadLimits,
  uploaded: Uploaded,
  path: string,
  body: IncomingMessage,
): Promise<string> {
  const inboxDir = await chosen()
  if (inboxDir === null) throw refusal(409, say('upload_without_folder'))
  const place = inboxPlace(path)
  if (place === null) throw refusal(415, say('upload_no_picture'))
  if (uploaded.running > limits.atOnce) throw new AppError('rate_limited', say('upload_too_many'))
  if (uploaded.files >= limits.filesADay) throw new AppError('rate_limited', say('upload_day_full'))
  const check = (bytes: number, more: number) => {
    if (bytes > limits.fileBytes)
      throw refusal(413, say('upload_too_large', { megabytes: Math.round(limits.fileBytes / 2 ** 20) }))
    if (uploaded.bytes + more > limits.bytesADay) throw new AppError('rate_limited', say('upload_day_full'))
  }
  const announced = Number(body.headers['content-length'] ?? 0)
  check(announced, announced)
  uploaded.files += 1
  return saveToInbox(inboxDir, place, metered(body, uploaded, check), uploads)
}

/** Counts bytes as they arrive, so that concurrent uploads share one quota. */
async function* metered(
  body: IncomingMessage,
  uploaded: Uploaded,
  check: (bytes: number, more: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0
  // The connection is still needed for the answer.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength
    check(bytes, chunk.byteLength)
    uploaded.bytes += chunk.byteLength
    yield chunk
  }
}
