import { lstat, readdir, unlink } from 'node:fs/promises'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { syncFolder } from './disk-error.ts'
import { hashFile } from './hash-file.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { parseLeftover, partOf } from './leftover-names.ts'
import type { Leftover } from './leftover-names.ts'
import { putBack } from './publish-file.ts'
import { renameWithRetry } from './rename-with-retry.ts'
import { isReservation, realLinks } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

interface SweepOutcome {
  removedParts: number
  /** Files that got their name back: earlier outputs, and files that were never ours. */
  putBack: number
}

/**
 * Cleans up one folder after a crash: parts are removed; files moved aside get their name back, or are removed if they
 * are our own output and a newer one has the name. An empty file that only reserved the name is replaced. Touches only regular
 * files with exactly our hidden names and never follows links. A missing folder is not an error. Throws the first failure after
 * the remaining files are done, and `path_outside_root` for a folder that is not inside `rootDir`, by default the folder itself.
 */
export async function sweepLeftovers(
  dir: string,
  options: { rootDir?: string; isLive: (tag: string) => boolean; links?: LinkPort },
): Promise<SweepOutcome> {
  const outcome: SweepOutcome = { removedParts: 0, putBack: 0 }
  const folder = await openFolder(options.rootDir ?? dir, dir).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null
    throw error
  })
  try {
    if (folder !== null) await sweep(folder, options.isLive, options.links ?? realLinks, outcome)
  } finally {
    await folder?.close()
  }
  return outcome
}

async function sweep(
  folder: FolderHandle,
  isLive: (tag: string) => boolean,
  links: LinkPort,
  outcome: SweepOutcome,
): Promise<void> {
  const failures: unknown[] = []
  for (const name of await readdir(folder.self)) {
    const leftover = parseLeftover(name)
    if (leftover === null || isLive(leftover.tag)) continue
    try {
      if (!(await lstat(folder.at(name))).isFile()) continue
      if (leftover.kind === 'part') {
        await unlink(folder.at(name))
        outcome.removedParts += 1
      } else if (await finishAside(folder, name, leftover, links)) outcome.putBack += 1
    } catch (error) {
      // A leftover that cannot be handled, perhaps a planted one, does not stop the others.
      if (errorCode(error) !== 'ENOENT') failures.push(error)
    }
  }
  if (outcome.removedParts + outcome.putBack > 0) await syncFolder(folder.self)
  if (failures.length > 0) throw failures[0]
}

/** True when it was put back, false when it was removed. */
async function finishAside(
  folder: FolderHandle,
  aside: string,
  { name, sha256Start, tag, role }: Extract<Leftover, { kind: 'aside' }>,
  links: LinkPort,
): Promise<boolean> {
  const isOurs = (await hashFile(folder.at(aside)))?.startsWith(sha256Start) === true
  const nameIsTaken = (await lstat(folder.at(name)).catch(() => null)) !== null
  if (isOurs && nameIsTaken) {
    // It was on its way back: its name is only reserved.
    if (await isReservation(folder.at(name), folder.at(aside), folder.at(partOf(tag, role)), links)) {
      await renameWithRetry(folder.at(aside), folder.at(name))
      return true
    }
    await unlink(folder.at(aside))
    return false
  }
  await putBack(folder, aside, name, links)
  return true
}
