import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Result } from '../../shared/contract/call.ts'
import type { Place } from '../../shared/contract/places.ts'
import { AppError, toAppError, type AppErrorCode } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { inboxPlace, saveToInbox } from './inbox.ts'
import { signedIn, type WebContext } from './web-context.ts'

export const UPLOAD_LIMITS = {
  fileBytes: 200 * 2 ** 20,
  /** An upload that receives nothing for this long is ended. */
  idleMs: 120_000,
}
export type UploadLimits = typeof UPLOAD_LIMITS

const Query = z.object({ path: z.string().max(4096) })

/** For errors without a status of their own. After 413 and 415 the page goes on with its other files. */
const STATUS: Partial<Record<AppErrorCode, number>> = {
  bad_request: 415,
  path_outside_root: 400,
  disk_full: 507,
  internal: 500,
}

const refusal = (status: number, sentence: Sentence) => Object.assign(new AppError('bad_request', sentence), { status })

/** `POST /upload?path=…`: the bytes of one file with its name, or its path in a dropped folder; they go into the inbox. */
export async function addUpload(app: FastifyInstance, context: WebContext, limits: UploadLimits): Promise<void> {
  const take = async (request: FastifyRequest): Promise<Place> => {
    const { data } = Query.safeParse(request.query)
    if (signedIn(context, request) === null) throw refusal(401, say('signed_out'))
    if (data === undefined) throw refusal(400, say('upload_malformed'))
    return context.host.places.register(await save(context, limits, data.path, request.raw), 'file')
  }

  await app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers()
    uploads.addContentTypeParser('application/octet-stream', (_request, _bytes, done) => done(null))
    uploads.post('/upload', async (request, reply) => {
      const { raw } = request
      raw.setTimeout(limits.idleMs, () => raw.destroy())
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
  { fileBytes }: UploadLimits,
  path: string,
  body: IncomingMessage,
): Promise<string> {
  const inboxDir = await chosen()
  if (inboxDir === null) throw refusal(409, say('upload_without_folder'))
  const place = inboxPlace(path)
  if (place === null) throw refusal(415, say('upload_no_picture'))
  const check = (bytes: number) => {
    if (bytes > fileBytes) throw refusal(413, say('upload_too_large', { megabytes: Math.round(fileBytes / 2 ** 20) }))
  }
  check(Number(body.headers['content-length'] ?? 0))
  return saveToInbox(inboxDir, place, checked(body, check), uploads)
}

/** `check` is called with the bytes that have arrived so far, and may throw. */
async function* checked(body: IncomingMessage, check: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0
  // The connection is still needed for the answer.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength
    check(bytes)
    yield chunk
  }
  // Whole, it may take long to be written.
  body.setTimeout(0)
}
