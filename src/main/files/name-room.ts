import { lstat, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { USUAL_NAME_ROOM } from '../core/naming.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'

/** By device: file systems are few, and each has one limit. */
const known = new Map<bigint, Promise<number>>()

/**
 * How many bytes a name in this folder, which may still have to be created, may have: 255, and fewer where names are stored encrypted
 * (eCryptfs 143, encfs 175). Asked of the file system by looking for names that are not there, because what it states may be wrong: encfs
 * says 189. Changes nothing.
 */
export async function nameRoomOf(dir: string): Promise<number> {
  const there = await stat(dir, { bigint: true }).catch(() => null)
  const parent = dirname(dir)
  if (there === null) return parent === dir ? USUAL_NAME_ROOM : nameRoomOf(parent)
  const found = known.get(there.dev) ?? findRoom(dir)
  known.set(there.dev, found)
  return found
}

async function findRoom(dir: string): Promise<number> {
  const fits = async (bytes: number) =>
    (await lstat(join(dir, 'x'.repeat(bytes))).then(() => '', errorCode)) !== 'ENAMETOOLONG'
  if (await fits(USUAL_NAME_ROOM)) return USUAL_NAME_ROOM
  let [least, most] = [0, USUAL_NAME_ROOM]
  while (most - least > 1) {
    const middle = (least + most) >> 1
    if (await fits(middle)) least = middle
    else most = middle
  }
  return least
}
