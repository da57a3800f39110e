import type { FileHandle } from 'node:fs/promises'
import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'

/** Whether `path` is `root` or below it; both must be real paths (no links, no `..`). */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Whether the folder of `path`, with all links on the way followed, is `rootDir` or below it. False when it is not there. */
export async function isReallyInside(rootDir: string, path: string): Promise<boolean> {
  try {
    return isInside(await realpath(rootDir), await realpath(dirname(path)))
  } catch {
    return false
  }
}

/**
 * Where an open file really is, whatever its path was made of. Null when it is nowhere any more. On Linux the kernel
 * says so for the descriptor itself; elsewhere the parent's real path is taken if the same inode is still found there.
 */
export async function realPathOf(handle: FileHandle, path: string): Promise<string | null> {
  if (process.platform === 'linux') {
    const told = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null)
    if (told !== null) return (await isFileAt(handle, told)) ? told : null
  }
  const parent = await realpath(dirname(path)).catch(() => null)
  if (parent === null) return null
  const real = join(parent, basename(path))
  return (await isFileAt(handle, real)) ? real : null
}

/** Whether the open file stands at the path; not followed. */
export async function isFileAt(handle: FileHandle, path: string): Promise<boolean> {
  const found = await lstat(path, { bigint: true }).catch(() => null)
  const held = await handle.stat({ bigint: true })
  return found !== null && found.ino === held.ino && found.dev === held.dev
}

export function outside(path: string): AppError {
  return new AppError('path_outside_root', ownSentence('leads_out', { path }))
}
