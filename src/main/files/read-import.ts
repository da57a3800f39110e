import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { MAX_TEXTS_BYTES } from '../../shared/recipes/limits.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'

const MAX_MB = MAX_TEXTS_BYTES / 1_000_000

/** A file of texts, whole. Throws `bad_request` for one that is not there, cannot be read or has more than 50 MB. */
export async function readImport(file: string): Promise<Uint8Array> {
  const stats = await stat(file).catch(() => null)
  if (stats?.isFile() !== true) throw new AppError('bad_request', say('path_missing', { path: file }))
  if (stats.size > MAX_TEXTS_BYTES) throw tooLarge()
  return readFile(file).catch((error: unknown) => {
    throw unreadable(error)
  })
}

const unpack = promisify(gunzip)

/** A file of texts that came compressed with gzip. Throws `bad_request` for one of more than 50 MB, or that is not compressed so. */
export async function unpackImport(packed: Uint8Array): Promise<Uint8Array> {
  return unpack(packed, { maxOutputLength: MAX_TEXTS_BYTES }).catch((error: unknown) => {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw unreadable(error)
  })
}

const tooLarge = () => new AppError('bad_request', say('import_too_large', { most: MAX_MB }))
const unreadable = (cause: unknown) =>
  new AppError('bad_request', say('import_unreadable', { why: raw(String(cause)) }), { cause })
