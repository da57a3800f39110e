import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { BODY_TOO_LARGE, MAX_BODY_BYTES, MAX_UPLOAD_BYTES } from './not-shown.ts'
import type { Answer } from './answer.ts'
import { jsonAnswer } from './answer.ts'

export interface ReceivedFile {
  path: string
  filename: string
  sizeBytes: number
  sha256: string
  /** Longer than `MAX_UPLOAD_BYTES`: the stored file is truncated. */
  tooLong: boolean
}

/** A multipart form before validation. `fields` keeps the order; array brackets are removed from names. */
export interface ReceivedUpload {
  image: ReceivedFile | null
  fields: Map<string, string[]>
}

const MAX_FIELD_BYTES = 8192

/** Options of the form parser. A file that is too long is truncated, so that validation can report it. */
export const FORM_OPTIONS = {
  throwFileSizeLimit: false,
  limits: {
    fileSize: MAX_UPLOAD_BYTES,
    files: 4,
    fields: 100,
    parts: 104,
    fieldSize: MAX_FIELD_BYTES,
    fieldNameSize: 200,
  },
}

/** Streams a file part to disk, hashing on the way; memory stays at one chunk. */
async function storeFile(part: MultipartFile, path: string, signal: AbortSignal): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      sizeBytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(part.file, meter, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
  return { path, filename: part.filename, sizeBytes, sha256: hash.digest('hex'), tooLong: part.file.truncated }
}

/**
 * Reads the multipart body of a dispatch into a file under `folder` and a map of fields. `languages`, `languages[]` and
 * `languages[0]` are the same field. The caller removes the file. Rejects when the client disconnects; a body that is not a
 * form, or exceeds the limits, results in an error answer.
 */
export async function receiveUpload(
  request: FastifyRequest,
  folder: string,
  newId: () => string,
): Promise<{ ok: true; upload: ReceivedUpload } | { ok: false; answer: Answer }> {
  const upload: ReceivedUpload = { image: null, fields: new Map() }
  if (!request.isMultipart()) return { ok: true, upload }
  const gone = new AbortController()
  let bytes = 0
  const count = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) gone.abort(new Error('the request body is too large'))
  }
  request.raw.once('close', () => {
    if (!request.raw.complete) gone.abort(new Error('the client went away'))
  })
  try {
    await readParts(request, { folder, newId, upload, signal: gone.signal, count })
    return { ok: true, upload }
  } catch (error) {
    if (upload.image) await rm(upload.image.path, { force: true })
    if (bytes > MAX_BODY_BYTES) return { ok: false, answer: jsonAnswer(BODY_TOO_LARGE.status, BODY_TOO_LARGE.body) }
    if (gone.signal.aborted || request.raw.destroyed) throw error
    return { ok: false, answer: jsonAnswer(400, { message: 'The form could not be read.' }) }
  } finally {
    request.raw.off('data', count)
  }
}

async function readParts(
  request: FastifyRequest,
  into: {
    folder: string
    newId: () => string
    upload: ReceivedUpload
    signal: AbortSignal
    count: (chunk: Buffer) => void
  },
): Promise<void> {
  const { upload, signal } = into
  let counting = false
  for await (const part of request.parts()) {
    // Attached only once the form parser reads the body: an earlier listener would consume its first bytes.
    if (!counting) request.raw.on('data', into.count)
    counting = true
    signal.throwIfAborted()
    if (part.type === 'field') {
      const name = part.fieldname.replace(/\[\d*\]$/, '')
      const value = part.valueTruncated ? 'x'.repeat(MAX_FIELD_BYTES) : String(part.value)
      upload.fields.set(name, [...(upload.fields.get(name) ?? []), value])
    } else if (part.fieldname === 'image' && upload.image === null) {
      const path = join(into.folder, `${into.newId()}.upload`)
      try {
        upload.image = await storeFile(part, path, signal)
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
    } else {
      part.file.resume()
    }
  }
}
