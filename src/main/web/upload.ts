import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { checkRoom, inboxPlace, saveToInbox } from './inbox.ts'
import type { SignIn } from './sign-ins.ts'
import { fail, notSignedIn, signedIn, type WebContext } from './web-context.ts'

/** A day starts with the first upload of a sign-in. */
export interface UploadLimits {
  fileBytes: number
  bytesADay: number
  filesADay: number
  atOnce: number
  /** An upload that receives nothing for this long is ended: it takes one of the `atOnce` places. */
  idleMs: number
}

export const UPLOAD_LIMITS: UploadLimits = {
  fileBytes: 200 * 2 ** 20,
  bytesADay: 20 * 2 ** 30,
  filesADay: 50_000,
  atOnce: 8,
  idleMs: 120_000,
}

const DAY_MS = 86_400_000
/** Names, boundaries and the headers of the parts. */
const FORM_BYTES = 64 * 1024

/** A refused upload and its HTTP status: 413 and 415 concern only this file. */
class Refused extends Error {
  readonly status: number
  readonly error: AppError

  constructor(status: number, error: AppError) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

/**
 * `POST /upload`: one file per request, as a form with `path` (its name, or its path in a dropped folder) and then
 * `file`. The file goes into the inbox; the answer is `{ ok: true, value: Place }` or a failure.
 */
export async function addUpload(app: FastifyInstance, context: WebContext, limits: UploadLimits): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: limits.fileBytes, files: 1, fields: 1, fieldSize: 8192, fieldNameSize: 20, parts: 2 },
  })
  app.post('/upload', async (request, reply) => {
    const signIn = signedIn(context, request)
    if (signIn === null) return fail(context, reply, notSignedIn(), 401)
    signIn.uploaded.running += 1
    const end = () => request.raw.destroy()
    request.raw.setTimeout(limits.idleMs, () => {
      // Whole, it may take long to be written.
      if (!request.raw.complete) end()
    })
    signIn.ended.addEventListener('abort', end)
    try {
      const path = await receive(context, limits, signIn, request)
      return await reply.send({ ok: true, value: context.host.places.register(path, 'file') })
    } catch (error) {
      return await refuse(context, limits, request, reply, error)
    } finally {
      signIn.ended.removeEventListener('abort', end)
      signIn.uploaded.running -= 1
    }
  })
}

async function receive(
  context: WebContext,
  limits: UploadLimits,
  signIn: SignIn,
  request: FastifyRequest,
): Promise<string> {
  const inboxDir = await context.inboxDir()
  if (inboxDir === null) throw new Refused(409, new AppError('bad_request', say('upload_without_folder')))
  if (!request.isMultipart()) throw new Refused(400, malformed())
  const announcedBytes = Math.max(0, Number(request.headers['content-length'] ?? 0) - FORM_BYTES)
  if (announcedBytes > limits.fileBytes) throw new Refused(413, tooLarge(limits))
  checkQuota(signIn, limits, context.clock.monotonicMs(), announcedBytes)
  await checkRoom(inboxDir, announcedBytes)
  let place: ReturnType<typeof inboxPlace> | undefined
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.fieldname !== 'path' || typeof part.value !== 'string') throw new Refused(400, malformed())
      place = inboxPlace(part.value)
      continue
    }
    if (place === undefined) throw new Refused(400, malformed())
    if (place === null) throw new Refused(415, notAPicture())
    return await saveToInbox(inboxDir, place, metered(part.file, signIn, limits), context.uploads).catch(
      (error: unknown) => {
        throw error instanceof AppError && error.code === 'bad_request' ? new Refused(415, error) : error
      },
    )
  }
  throw new Refused(400, malformed())
}

/**
 * Counts bytes as they arrive, so that concurrent uploads share one quota; ends with 413 when the file was cut at the
 * cap.
 */
async function* metered(
  file: AsyncIterable<Buffer> & { truncated: boolean },
  signIn: SignIn,
  limits: UploadLimits,
): AsyncGenerator<Buffer> {
  signIn.uploaded.files += 1
  for await (const chunk of file) {
    signIn.uploaded.bytes += chunk.byteLength
    if (signIn.uploaded.bytes > limits.bytesADay) throw new Refused(429, quotaReached())
    yield chunk
  }
  if (signIn.ended.aborted) throw new Refused(401, notSignedIn())
  if (file.truncated) throw new Refused(413, tooLarge(limits))
}

function checkQuota({ uploaded }: SignIn, limits: UploadLimits, nowMs: number, moreBytes: number): void {
  if (nowMs - uploaded.sinceMs > DAY_MS) Object.assign(uploaded, { sinceMs: nowMs, bytes: 0, files: 0 })
  if (uploaded.running > limits.atOnce) throw new Refused(429, new AppError('rate_limited', say('upload_too_many')))
  if (uploaded.files >= limits.filesADay || uploaded.bytes + moreBytes > limits.bytesADay)
    throw new Refused(429, quotaReached())
}

/**
 * A browser that is still sending does not read an early answer: the rest is drained first, within the file's limit.
 */
async function refuse(
  context: WebContext,
  limits: UploadLimits,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  await drain(request, limits.fileBytes)
  if (error instanceof Refused) return fail(context, reply, error.error, error.status)
  if (error instanceof AppError) return fail(context, reply, error)
  context.log.warn('an upload did not come whole', { error: String(error) })
  return fail(context, reply, malformed())
}

async function drain({ raw }: FastifyRequest, maxBytes: number): Promise<void> {
  if (raw.complete || raw.destroyed) return
  let bytes = 0
  await new Promise<void>((resolve) => {
    raw
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve())
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) resolve()
    })
    raw.unpipe()
    raw.resume()
  })
}

const malformed = () => new AppError('bad_request', say('upload_malformed'))
const notAPicture = () => new AppError('bad_request', say('upload_not_named_picture'))
const tooLarge = ({ fileBytes }: UploadLimits) =>
  new AppError('bad_request', say('upload_too_large', { megabytes: Math.round(fileBytes / 2 ** 20) }))
const quotaReached = () => new AppError('rate_limited', say('upload_day_full'))
