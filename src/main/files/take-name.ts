import { link, lstat } from 'node:fs/promises'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { renameWithRetry, unlinkWithRetry } from './rename-with-retry.ts'

/** The one call that file systems differ in; tests replace it to simulate one without links. */
export interface LinkPort {
  link: (from: string, to: string) => Promise<void>
}

export const realLinks: LinkPort = { link }

/**
 * Error codes of a file system without hard links (FAT on Windows: EISDIR), or when a file has its maximum number of
 * links.
 */
const NO_LINKS = new Set(['EISDIR', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL', 'UNKNOWN'])

export function linksAreMissing(error: unknown): boolean {
  return NO_LINKS.has(errorCode(error))
}

/**
 * Moves a complete file to a free name in the same folder or file system; `taken` leaves both as they are. `link` fails
 * atomically when the name is taken, and never exposes a partial file. Without links it is looked whether the name is free, and then
 * renamed. Addresses come from a `FolderHandle`.
 */
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
