import { lstat, readdir, unlink } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { errorCode, syncFolder } from './disk-error.ts'
import { hashFile } from './hash-file.ts'
import { parseLeftover } from './leftover-names.ts'
import type { Leftover } from './leftover-names.ts'
import { putBack } from './publish-file.ts'
import { realLinks } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

export interface SweepOutcome {
  removedParts: number
  /** Files brought back to a name: earlier outputs, and what was never ours. */
  putBack: number
}

/**
 * Cleans one folder up after a crash: parts are removed, files that were moved aside go back to their name, or away when
 * they are our own output and a newer one has the name. Only regular files with exactly our hidden names are touched;
 * links are never followed. A missing folder is no error.
 */
export async function sweepLeftovers(
  dir: string,
  options: { isLive: (jobId: string) => boolean; links?: LinkPort },
): Promise<SweepOutcome> {
  const outcome: SweepOutcome = { removedParts: 0, putBack: 0 }
  for (const name of await namesIn(dir)) {
    const leftover = parseLeftover(name)
    if (leftover === null || options.isLive(leftover.jobId)) continue
    const path = join(dir, name)
    if ((await lstat(path).catch(() => null))?.isFile() !== true) continue
    if (leftover.kind === 'part') {
      await unlink(path)
      outcome.removedParts += 1
    } else if (await settleAside(dir, path, leftover, options.links ?? realLinks)) outcome.putBack += 1
  }
  if (outcome.removedParts + outcome.putBack > 0) await syncFolder(dir)
  return outcome
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return []
    throw error
  }
}

/** True when it was put back, false when it was removed. */
async function settleAside(
  dir: string,
  aside: string,
  { name, sha256Start }: Extract<Leftover, { kind: 'aside' }>,
  links: LinkPort,
): Promise<boolean> {
  const path = join(dir, name)
  const isOurs = (await hashFile(aside))?.startsWith(sha256Start) === true
  const nameIsTaken = (await lstat(path).catch(() => null)) !== null
  if (isOurs && nameIsTaken) {
    await unlink(aside)
    return false
  }
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  await putBack(aside, path, (n) => `${stem}-${n}${extension}`, links)
  return true
}
