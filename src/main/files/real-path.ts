import type { FileHandle } from 'node:fs/promises'
import { lstat, mkdir, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import { errorCode } from './disk-error.ts'

/** Whether `path` is `root` or below it; both must be real paths (no links, no `..`). */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Where an open file really is, whatever its path was made of. Null when it is nowhere any more. On Linux the kernel
 * says so for the descriptor itself; elsewhere the parent's real path is taken if the same inode is still found there.
 */
export async function realPathOf(handle: FileHandle, path: string): Promise<string | null> {
  if (process.platform === 'linux') {
    const told = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null)
    if (told !== null) return (await isSameFile(handle, told)) ? told : null
  }
  const parent = await realpath(dirname(path)).catch(() => null)
  if (parent === null) return null
  const real = join(parent, basename(path))
  return (await isSameFile(handle, real)) ? real : null
}

async function isSameFile(handle: FileHandle, path: string): Promise<boolean> {
  const found = await lstat(path, { bigint: true }).catch(() => null)
  const held = await handle.stat({ bigint: true })
  return found !== null && found.ino === held.ino && found.dev === held.dev
}

/**
 * Makes `dir` if it is missing, one level at a time so that no level is made through a link that leads out of
 * `rootDir`, and returns its real path. `rootDir` itself is made too. Throws `AppError` `path_outside_root` when the
 * real folder is not inside the real root.
 */
export async function ensureFolderInside(rootDir: string, dir: string): Promise<string> {
  const root = resolve(rootDir)
  const target = resolve(dir)
  if (!isInside(root, target)) throw outside(dir)
  await mkdir(root, { recursive: true })
  const realRoot = await realpath(root)
  let current = root
  for (const part of relative(root, target).split(sep).filter(Boolean)) {
    current = join(current, part)
    await mkdir(current).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
    if (!isInside(realRoot, await realpath(current))) throw outside(dir)
  }
  return realpath(current)
}

export function outside(path: string): AppError {
  return new AppError('path_outside_root', ownSentence('leads_out', { path }))
}
