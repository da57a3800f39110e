import { spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import { errorCode } from '../../shared/runtime/error-code.ts'

/** For nobody but the user that wrote it. */
export const PRIVATE = 0o600

/** Who may do less with the new file. `others` includes the group. */
export type Loser = 'owner' | 'others'

interface TakeRequest {
  /** Just made, and still private. */
  file: FileHandle
  /** Whose access it takes. */
  from: FileHandle
  /** What may be granted at all: 6 leaves out the execute bits. */
  most: 6 | 7
  /** Takes its extended attributes too, as far as `cp` can: tags, comments and where it came from. */
  takesAttributes?: boolean
}

/**
 * Gives a file the owner, group, mode and access control list of another, as far as this user may. The list comes with `cp` of the GNU
 * coreutils; on Linux the group's bits may stand for one, so without that program nobody but the owner gets access. Where the group cannot be
 * kept, it gets what others have. Returns who has less access than to the other.
 */
export async function takeAccess({ file, from, most, takesAttributes = false }: TakeRequest): Promise<Loser | null> {
  const stats = await from.stat()
  const { uid, gid, mode } = stats
  if (process.platform === 'win32') {
    await file.chmod(mode & (most * 0o111))
    return null
  }
  // In a sticky folder people may not take each other's files away, nor then in a folder that takes over its access.
  const sticky = stats.isDirectory() ? mode & 0o1000 : 0
  if (sticky !== 0) await file.chmod(sticky | 0o700)
  await takeOwner(file, uid, gid)
  const now = await file.stat()
  const common = (mode >> 3) & mode & 7
  let granted = now.gid === gid ? mode & 0o777 : (mode & 0o700) | (common << 3) | common
  const mayHaveList = process.platform === 'linux' && stats.isFile() && (mode & 0o077) !== 0
  const wanted = [...(mayHaveList ? ['mode' as const] : []), ...(takesAttributes ? ['xattr' as const] : [])]
  const isCopied = wanted.length === 0 || (await copyAttributes(file, from, wanted))
  if (mayHaveList && !isCopied) granted &= 0o700
  await file.chmod(sticky | (granted & (most * 0o111)))
  // The superuser needs no permission.
  const keepsOwner = now.uid === uid || uid === 0
  if (!keepsOwner && ((mode >> 6) & ~(granted >> 3) & most) !== 0) return 'owner'
  return (mode & ~granted & 0o077 & (most * 0o111)) !== 0 ? 'others' : null
}

/** The time of the last change of the other. Not where the sizes are equal: programs that copy what changed would then miss it. */
export async function takeTime(file: FileHandle, from: FileHandle): Promise<void> {
  const [now, { size, atimeNs, mtimeNs }] = await Promise.all([
    file.stat({ bigint: true }),
    from.stat({ bigint: true }),
  ])
  if (now.size !== size) await file.utimes(Number(atimeNs) / 1e9, Number(mtimeNs) / 1e9)
}

/** The access control list (`mode`) or extended attributes (`xattr`). False where there is no such `cp`, or it fails. By open files. */
export async function copyAttributes(
  file: FileHandle,
  from: FileHandle,
  which: readonly ('mode' | 'xattr')[],
): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const args = ['--attributes-only', `--preserve=${which.join(',')}`, '--', '/proc/self/fd/3', '/proc/self/fd/4']
  const isDone = await new Promise<boolean>((resolve, reject) => {
    const child = spawn('cp', args, {
      stdio: ['ignore', 'ignore', 'ignore', from.fd, file.fd],
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    })
    child.on('error', (error) => {
      if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errorCode(error))) resolve(false)
      else reject(error)
    })
    child.on('close', (code) => resolve(code === 0))
  })
  // File capabilities are attributes too, and only root may set them: what came from a service must not have any. This drops them.
  const { uid, gid } = await file.stat()
  if (which.includes('xattr') && process.geteuid?.() === 0) await file.chown(uid, gid)
  return isDone
}

/** The group too where only that may be given: to one that this user belongs to. */
async function takeOwner(file: FileHandle, uid: number, gid: number): Promise<void> {
  const now = await file.stat()
  const isSame = now.uid === uid && now.gid === gid
  if (!isSame && !(await mayChown(file, uid, gid))) await mayChown(file, now.uid, gid)
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
