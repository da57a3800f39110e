import type { FileHandle } from 'node:fs/promises'
import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'

/** Whether `path` is `root` or below it; both must be real paths (no links, no `..`). */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Whether the folder of `path`, with all links resolved, is `rootDir` or below it. False when it does not exist. */
export async function isReallyInside(rootDir: string, path: string): Promise<boolean> {
  try {
    return isInside(await realpath(rootDir), await realpath(dirname(path)))
  } catch {
    return false
  }
}

/**
 * The real path of an open file, even if its path was swapped. Null when it no longer has one. On Linux the kernel
 * gives it for the descriptor; elsewhere the parent's real path is used if the same inode is still there.
 */
export async function realPathOf(handle: FileHandle, path: string): Promise<string | null> {
  if (process.platform === 'linux') {
    const path = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null)
    if (path !== null) return (await isFileAt(handle, path)) ? path : null
  }
  const parent = await realpath(dirname(path)).catch(() => null)
  if (parent === null) return null
  const real = join(parent, basename(path))
  return (await isFileAt(handle, real)) ? real : null
}

/** Whether the open file is the one at the path. Follows no link. */
export async function isFileAt(handle: FileHandle, path: string): Promise<boolean> {
  const found = await lstat(path, { bigint: true }).catch(() => null)
  const held = await handle.stat({ bigint: true })
  return found !== null && found.ino === held.ino && found.dev === held.dev
}

export function outside(path: string): AppError {
  return new AppError('path_outside_root', say('leads_out', { path }))
}
