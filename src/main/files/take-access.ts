import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { carryAccess, type Loser } from '../core/carry-access.ts'
import { readAcls, removeAcl, writeAcl } from './acl.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'

/** For nobody but the user that wrote it. */
export const PRIVATE = 0o600

interface TakeRequest {
  /** Just made, and still private. */
  file: FileHandle
  /** Whose access it takes. */
  from: FileHandle
  /** The address of the folder that it was made in. */
  folder: string
  /** What may be granted at all: 6 leaves out the execute bits. */
  most: 6 | 7
}

/**
 * Gives a file the owner, group, mode and access control list of another, as far as this user may. Nobody who could not read the
 * other can read this one. Returns who has less access than to the other.
 */
export async function takeAccess({ file, from, folder, most }: TakeRequest): Promise<Loser | null> {
  if (process.platform === 'win32') {
    await file.chmod((await from.stat()).mode & (most * 0o111))
    return null
  }
  const { acl, isInherited } = await readAccess(from, folder)
  const stats = await from.stat()
  const { uid, gid, mode } = stats
  // In a sticky folder people may not take each other's files away, nor then in a folder that takes over its access.
  const sticky = stats.isDirectory() ? mode & 0o1000 : 0
  if (sticky !== 0) await file.chmod(sticky | 0o700)
  await takeOwner(file, uid, gid)
  const after = await file.stat()
  const carried = carryAccess({ uid, gid, mode, acl }, after, most)
  if (carried.acl !== null && (await writeAcl(file, carried.acl))) {
    listed.add(file)
    return null
  }
  // With an inherited list the group's bits would be its mask, and open the file to those whom it names.
  const mayHaveList = isInherited || listed.has(file)
  const isBare = !mayHaveList || (await removeAcl(file))
  await file.chmod(sticky | (isBare ? carried.mode : carried.mode & 0o700))
  return isBare || (carried.mode & 0o077) === 0 ? carried.loses : (carried.loses ?? 'others')
}

/** Files that were given a list here. */
const listed = new WeakSet<FileHandle>()

/** The group too where only that may be given: to one that this user belongs to. */
async function takeOwner(file: FileHandle, uid: number, gid: number): Promise<void> {
  const now = await file.stat()
  if (now.uid === uid && now.gid === gid) return
  if (now.uid !== uid && (await mayChown(file, uid, gid))) return
  if (now.gid !== gid) await mayChown(file, now.uid, gid)
}

async function mayChown(file: FileHandle, uid: number, gid: number): Promise<boolean> {
  try {
    await file.chown(uid, gid)
    return true
  } catch (error) {
    if (['EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS', 'EACCES'].includes(errorCode(error))) return false
    throw error
  }
}

type Acls = Awaited<ReturnType<typeof readAcls>>

/** A picture's results are written one after the other, and starting a program for each would take longer than writing them. */
const known = new Map<string, { acls: Acls; readAtMs: number }>()
const MAX_KNOWN = 200
/** For the list that a folder gives to new files, whose change leaves no trace in the picture. */
const GOOD_FOR_MS = 2000

async function readAccess(from: FileHandle, folder: string): Promise<Acls> {
  const { dev, ino, ctimeNs, mode } = await from.stat({ bigint: true })
  // No list can then grant anything to others, nor does one that is inherited.
  if ((mode & 0o077n) === 0n) return { acl: null, isInherited: false }
  const handle = await open(folder, 'r')
  try {
    const into = await handle.stat({ bigint: true })
    const key = [dev, ino, ctimeNs, into.dev, into.ino].join(' ')
    const earlier = known.get(key)
    const nowMs = performance.now()
    if (earlier !== undefined && nowMs - earlier.readAtMs < GOOD_FOR_MS) return earlier.acls
    const acls = await readAcls(from, handle)
    known.delete(key)
    known.set(key, { acls, readAtMs: nowMs })
    const oldest = known.keys().next()
    if (known.size > MAX_KNOWN && oldest.done !== true) known.delete(oldest.value)
    return acls
  } finally {
    await handle.close()
  }
}
