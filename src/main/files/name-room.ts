import { lstat, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { USUAL_NAME_ROOM } from '../core/naming.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'

/** By device: file systems are few, and each has one limit. */
const known = new Map<bigint, Promise<number>>()
/** A path of macOS has 1024 bytes at most. */
const MAX_DIR_BYTES = 700

/**
 * How many bytes a name in this folder may have: 255, and fewer where names are stored encrypted. Asked of the file system by looking for names
 * that are not there, because what it states may be wrong.
 */
export async function nameRoomOf(dir: string): Promise<number> {
  const there = await stat(dir, { bigint: true }).catch(() => null)
  const parent = dirname(dir)
  if (there === null) return parent === dir ? USUAL_NAME_ROOM : nameRoomOf(parent)
  // In a deep folder the whole path is too long before the name is.
  if (Buffer.byteLength(dir) > MAX_DIR_BYTES) return findRoom(dir)
  const found = known.get(there.dev) ?? findRoom(dir)
  known.set(there.dev, found)
  return found
}

async function findRoom(dir: string): Promise<number> {
  for (let bytes = USUAL_NAME_ROOM; bytes > 0; bytes -= 1) {
    const found = await lstat(join(dir, 'x'.repeat(bytes))).then(() => '', errorCode)
    if (found !== 'ENAMETOOLONG') return bytes
  }
  return 0
}
