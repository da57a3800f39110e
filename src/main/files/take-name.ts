import { link, lstat, rename, unlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'

/** Windows error codes while another program has a file open without sharing it. */
const HELD = new Set(['EBUSY', 'EPERM', 'EACCES'])
/** Scanners and indexers release a file within a second. All pauses together take 4 s. */
const PAUSES_MS = [20, 50, 100, 200, 400, 700, 1000, 1500]

/** On Windows, retries while another program has the file open; then throws `not_writable`. */
export function renameWithRetry(from: string, to: string): Promise<void> {
  return withRetry(() => rename(from, to), to)
}

/** `unlink` with the retries of `renameWithRetry`. */
export function unlinkWithRetry(path: string): Promise<void> {
  return withRetry(() => unlink(path), path)
}

async function withRetry(work: () => Promise<void>, path: string): Promise<void> {
  if (process.platform !== 'win32') return work()
  for (const pauseMs of [...PAUSES_MS, null])
    try {
      return await work()
    } catch (cause) {
      if (!HELD.has(errorCode(cause))) throw cause
      if (pauseMs === null) throw new AppError('not_writable', say('file_in_use', { path }), { cause })
      await delay(pauseMs)
    }
}

/** The one call that file systems differ in; tests replace it to simulate one without links. */
export interface LinkPort {
  link: (from: string, to: string) => Promise<void>
}

export const realLinks: LinkPort = { link }

/** Error codes of a file system without hard links (FAT on Windows: EISDIR), or of a file with its maximum number of them. */
const NO_LINKS = new Set(['EISDIR', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL', 'UNKNOWN'])

export function linksAreMissing(error: unknown): boolean {
  return NO_LINKS.has(errorCode(error))
}

/** Moves a complete file to a free name, atomically by `link`; without links it is looked first. `taken` leaves both as they are. */
export async function takeName(from: string, to: string, { link }: LinkPort): Promise<'named' | 'taken'> {
  try {
    await link(from, to)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'taken'
    if (!linksAreMissing(error)) throw error
    if ((await lstat(to).catch(() => null)) !== null) return 'taken'
    await renameWithRetry(from, to)
    return 'named'
  }
  await unlinkWithRetry(from)
  return 'named'
}
