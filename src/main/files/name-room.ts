import { lstat, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { USUAL_NAME_ROOM } from '../core/naming.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import type { FolderHandle } from './folder-handle.ts'

/** By device: file systems are few, and each has one limit. */
const known = new Map<bigint, Promise<number>>()

/**
 * How many bytes a name in this folder may have: 255, and fewer where names are stored encrypted (eCryptfs 143, encfs 175). Asked
 * of the file system by looking for names that are not there, because what it states may be wrong: encfs says 189. Changes nothing.
 */
export async function nameRoomIn(folder: FolderHandle): Promise<number> {
  const { dev } = await stat(folder.self, { bigint: true })
  return roomOf(dev, (name) => folder.at(name))
}

/** The same by path, where the folder may still have to be created. */
export async function nameRoomOf(dir: string): Promise<number> {
  const there = await stat(dir, { bigint: true }).catch(() => null)
  if (there !== null) return roomOf(there.dev, (name) => join(dir, name))
  const parent = dirname(dir)
  return parent === dir ? USUAL_NAME_ROOM : nameRoomOf(parent)
}

function roomOf(dev: bigint, address: (name: string) => string): Promise<number> {
  const found = known.get(dev) ?? findRoom(address)
  known.set(dev, found)
  return found
}

async function findRoom(address: (name: string) => string): Promise<number> {
  const fits = async (bytes: number) =>
    (await lstat(address('x'.repeat(bytes))).then(() => '', errorCode)) !== 'ENAMETOOLONG'
  if (await fits(USUAL_NAME_ROOM)) return USUAL_NAME_ROOM
  let [least, most] = [0, USUAL_NAME_ROOM]
  while (most - least > 1) {
    const middle = (least + most) >> 1
    if (await fits(middle)) least = middle
    else most = middle
  }
  return least
}
