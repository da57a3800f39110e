import { accessSync, closeSync, constants, lstatSync, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'

const NEEDED_BYTES = 64 * 1024

/** What a failure of SQLite or the system means for the journal at `path`; null for anything else, such as another process's lock. */
export function journalTrouble(error: unknown, path: string): AppError | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  const code = errorCode(error)
  const isFormat = code === 'SQLITE_ERROR' && error.message === 'unsupported file format'
  if (isFormat || /^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code)) return damaged(path, error.message, error)
  const isFull = /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)
  const isShut = /^(SQLITE_(IOERR|READONLY|CANTOPEN|PERM)|EACCES|EPERM|EROFS|EIO|ELOOP|ENOTDIR|E[MN]FILE)/.test(code)
  // SQLite reports a disk without room for its shared memory as an I/O error.
  if (isFull || (isShut && hasNoRoom(path)))
    return new AppError('disk_full', say('journal_disk_full', { path }), { cause: error })
  if (!isShut) return null
  return unusable(path, refusalOf(path) ?? error.message, error)
}

/** A call that finds the journal closed: Hangar is stopping. Null for any other error. */
export function closedJournal(error: unknown): AppError | null {
  // better-sqlite3 gives it no code.
  const isClosed = error instanceof TypeError && error.message === 'The database connection is not open'
  return isClosed ? new AppError('aborted', say('hangar_stopping'), { cause: error }) : null
}

/** SQLite waits for ever for what writes to a pipe. Throws `journal_unusable`. */
export function refuseOtherThanFiles(path: string): void {
  for (const file of ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix))
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) throw unusable(file, 'not a regular file')
}

const unusable = (path: string, why: string, cause?: unknown) =>
  new AppError('journal_unusable', say('journal_unusable', { path, why: raw(why) }), { cause })

function hasNoRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < NEEDED_BYTES
  } catch {
    return false
  }
}

/** The system's reason why the journal or its folder may not be used, which SQLite does not say. */
function refusalOf(path: string): string | null {
  try {
    accessSync(dirname(path), constants.R_OK | constants.W_OK | constants.X_OK)
    closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK))
    return null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? null : message
  }
}

export function damaged(path: string, why: string, cause?: unknown): AppError {
  return new AppError('journal_damaged', say('journal_damaged', { path, why: raw(why) }), { cause })
}

export function foreign(path: string): AppError {
  return new AppError('journal_foreign', say('journal_foreign', { path }))
}
