import { createHash } from 'node:crypto'
import { lstat, readdir, unlink } from 'node:fs/promises'
import type { OutputRole } from '../../shared/jobs/job.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { syncFolder } from './disk-error.ts'
import { openIfThere } from './folder-handle.ts'

/** The names of files that are being written. Nothing else is ever swept. */

const TAG_LETTERS = 26
/** A job stages all its variants at the same time, so each has its width in the name. */
const PART = new RegExp(
  `^\\.hangar-([0-9a-f]{${TAG_LETTERS}})-(?:optimized|converted|variant|sidecar)(?:-[1-9][0-9]{1,4})?\\.part$`,
)

/** Stands for a job in names that everybody sees. With the id, a program that has a browser's cookie could ask for the job's files. */
export function tagOf(jobId: string): string {
  return createHash('sha256').update(jobId).digest('hex').slice(0, TAG_LETTERS)
}

/** A file being written for a job. */
export function partName(jobId: string, role: OutputRole, width?: number): string {
  return `.hangar-${tagOf(jobId)}-${role}${width === undefined ? '' : `-${width}`}.part`
}

/** The tag of the job that left it; null for any name that Hangar would not produce. */
const tagOfPart = (name: string): string | null => PART.exec(name)?.[1] ?? null

/**
 * Removes the parts in a folder that a crash left, and returns how many: only regular files with exactly our hidden names. Throws the first
 * failure after the others are done, and `path_outside_root`.
 */
export async function sweepLeftovers(
  dir: string,
  options: { rootDir?: string; isLive: (tag: string) => boolean },
): Promise<number> {
  const folder = await openIfThere(options.rootDir ?? dir, dir)
  if (folder === null) return 0
  const failures: unknown[] = []
  let removed = 0
  for (const name of await readdir(folder.self)) {
    const tag = tagOfPart(name)
    if (tag === null || options.isLive(tag)) continue
    try {
      if (!(await lstat(folder.at(name))).isFile()) continue
      await unlink(folder.at(name))
      removed += 1
    } catch (error) {
      // A leftover that cannot be handled, perhaps a planted one, does not stop the others.
      if (errorCode(error) !== 'ENOENT') failures.push(error)
    }
  }
  if (removed > 0) await syncFolder(folder.self)
  if (failures.length > 0) throw failures[0]
  return removed
}
