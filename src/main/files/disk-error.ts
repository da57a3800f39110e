import { open } from 'node:fs/promises'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { whileOpen } from './regular-file.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
export const FORBIDDEN: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Turns a failed write in `dir` into an `AppError` that says what to do; any other failure becomes `internal`. */
export function toDiskError(error: unknown, dir: string): AppError {
  if (error instanceof AppError) return error
  const code = errorCode(error)
  const because = { cause: error }
  if (FULL.has(code)) return new AppError('disk_full', say('no_space', { dir }), because)
  if (FORBIDDEN.has(code)) return new AppError('not_writable', say('may_not_write', { dir }), because)
  if (code === 'ENOENT' || code === 'ENOTDIR') return new AppError('not_writable', say('folder_gone', { dir }), because)
  if (code === 'ENAMETOOLONG') return new AppError('name_taken', say('name_too_long_there', { dir }), because)
  return toAppError(error)
}

/** Makes renames and new names in a folder durable across a power cut, where the system can. */
export async function syncFolder(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  await whileOpen(await open(dir, 'r'), (handle) => handle.sync()).catch((error: unknown) => {
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EBADF'].includes(errorCode(error))) throw error
  })
}
