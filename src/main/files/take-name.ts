import { link, lstat, open, unlink } from 'node:fs/promises'
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
 * atomically when the name is taken, and never exposes a partial file. Without links, an empty file reserves the name
 * (which also fails when it is taken) and is then replaced in one step; a crash between the two leaves an empty file,
 * see `isReservation` and docs/decisions/0004-publishing-files.md. Addresses come from held folders.
 */
export async function takeName(from: string, to: string, { link }: LinkPort): Promise<'named' | 'taken'> {
  try {
    await link(from, to)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'taken'
    if (linksAreMissing(error)) return reserveAndRename(from, to)
    throw error
  }
  await unlinkWithRetry(from)
  return 'named'
}

async function reserveAndRename(from: string, to: string): Promise<'named' | 'taken'> {
  let reserved: { ino: bigint }
  try {
    const handle = await open(to, 'wx')
    reserved = await handle.stat({ bigint: true })
    await handle.close()
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'taken'
    throw error
  }
  const stillOurs = async (): Promise<boolean> => {
    const found = await lstat(to, { bigint: true }).catch(() => null)
    return found !== null && found.ino === reserved.ino && found.size === 0n
  }
  if (!(await stillOurs())) return 'taken'
  try {
    await renameWithRetry(from, to)
  } catch (error) {
    if (await stillOurs()) await unlink(to)
    throw error
  }
  return 'named'
}

/**
 * Whether a name that we were about to give to `ours` holds only what `takeName` reserved it with before a crash: an empty file,
 * where `ours` cannot be linked. Where it can, nothing is reserved, and an empty file is another program's. `probe` is a free name.
 */
export async function isReservation(path: string, ours: string, probe: string, { link }: LinkPort): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (found === null || !found.isFile() || found.size > 0) return false
  try {
    await link(ours, probe)
  } catch (error) {
    return linksAreMissing(error)
  }
  await unlink(probe)
  return false
}
