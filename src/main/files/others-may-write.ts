import type { Stats } from 'node:fs'
import { access, constants, lstat, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'

/** As many links as Linux follows. */
const MAX_LINKS = 40
const WRITE_BY_OTHERS = 0o022
const STICKY = 0o1000

/** What lets others than this user and root change a file: it or a folder belongs to one of them, or they may write it. */
export interface OthersMayWrite {
  path: string
  why: 'owner' | 'mode'
}

/**
 * The first thing that lets others change what this file says, or null: the file, each link on the way to it, and the folders that these
 * are in, where a sticky one (as `/tmp`) or one on a read-only file system gives nothing away. `read` is what was read as that file: a
 * folder further up may have been swapped since. Null on Windows, where modes mean nothing. Throws what the file system does, such as ENOENT.
 */
export async function othersMayWrite(file: string, read: Pick<Stats, 'uid' | 'mode'>): Promise<OthersMayWrite | null> {
  const me = process.getuid?.()
  if (me === undefined) return null
  let next = resolve(file)
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const folder = await realpath(dirname(next))
    const path = join(folder, basename(next))
    const [around, entry] = [await stat(folder), await lstat(path)]
    const foreign = [
      { path: folder, uid: around.uid },
      { path, uid: entry.uid },
      { path, uid: read.uid },
    ].find(({ uid }) => uid !== me && uid !== 0)
    if (foreign !== undefined) return { path: foreign.path, why: 'owner' }
    const isShared = (around.mode & WRITE_BY_OTHERS) !== 0 && (around.mode & STICKY) === 0
    if (isShared && !(await isReadOnly(folder))) return { path: folder, why: 'mode' }
    if (!entry.isSymbolicLink())
      return ((entry.mode | read.mode) & WRITE_BY_OTHERS) === 0 ? null : { path, why: 'mode' }
    next = resolve(folder, await readlink(path))
  }
  throw new Error(`more than ${MAX_LINKS} links`)
}

const isReadOnly = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'EROFS',
  )
