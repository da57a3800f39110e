import type { Stats } from 'node:fs'
import { access, constants, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { errorCode } from '../../shared/runtime/error-code.ts'

const WRITE_BY_OTHERS = 0o022
const STICKY = 0o1000

/** What lets others than this user and root change a file: it or a folder belongs to one of them, or they may write it. */
interface OthersMayWrite {
  path: string
  why: 'owner' | 'mode'
}

/**
 * The first thing that lets others change what this file says, or null: the file and each folder that it is in, where it really is, as
 * OpenSSH judges `authorized_keys`. A sticky folder (as `/tmp`) or one on a read-only file system gives nothing away. `read` is what was
 * read as that file, which may have been swapped since. Null on Windows, where modes mean nothing. Throws what the file system does, such
 * as ENOENT.
 */
export async function othersMayWrite(file: string, read: Pick<Stats, 'uid' | 'mode'>): Promise<OthersMayWrite | null> {
  const me = process.getuid?.()
  if (me === undefined) return null
  const isForeign = ({ uid }: { uid: number }) => uid !== me && uid !== 0
  const real = await realpath(file)
  const found = await stat(real)
  if (isForeign(found) || isForeign(read)) return { path: real, why: 'owner' }
  if (((found.mode | read.mode) & WRITE_BY_OTHERS) !== 0) return { path: real, why: 'mode' }
  for (let path = dirname(real); ; path = dirname(path)) {
    const folder = await stat(path)
    if (isForeign(folder)) return { path, why: 'owner' }
    const isShared = (folder.mode & WRITE_BY_OTHERS) !== 0 && (folder.mode & STICKY) === 0
    if (isShared && (await access(path, constants.W_OK).then(() => '', errorCode)) !== 'EROFS')
      return { path, why: 'mode' }
    if (path === dirname(path)) return null
  }
}
