import { realpath } from 'node:fs/promises'
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

/** The path of a file with all links on the way to it resolved. Rejects when its folder does not exist. */
export async function realPathOf(path: string): Promise<string> {
  return join(await realpath(dirname(path)), basename(path))
}

export function outside(path: string): AppError {
  return new AppError('path_outside_root', say('leads_out', { path }))
}
