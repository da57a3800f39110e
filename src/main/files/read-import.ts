import { readFile, stat } from 'node:fs/promises'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'

/** Ten thousand pictures in ten languages take less. */
const MAX_MB = 50

/** A file of texts, whole. Throws `bad_request` for one that is not there, cannot be read or has more than 50 MB. */
export async function readImport(file: string): Promise<Uint8Array> {
  const stats = await stat(file).catch(() => null)
  if (stats?.isFile() !== true) throw new AppError('bad_request', say('path_missing', { path: file }))
  if (stats.size > MAX_MB * 1_000_000) throw new AppError('bad_request', say('import_too_large', { most: MAX_MB }))
  return readFile(file).catch((error: unknown) => {
    throw new AppError('bad_request', say('import_unreadable', { why: raw(String(error)) }), { cause: error })
  })
}
