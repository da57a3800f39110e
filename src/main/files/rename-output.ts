import { createHash } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { collisionKey } from '../core/naming.ts'
import type { OwnResult } from '../core/published-output.ts'
import { syncFolder } from './disk-error.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { hashFile } from './hash-file.ts'
import { nameRoomIn } from './name-room.ts'
import { asideName, partName } from './leftover-names.ts'
import { inFolder, putBack } from './publish-file.ts'
import { renameWithRetry, unlinkWithRetry } from './rename-with-retry.ts'
import { isReservation, realLinks, takeName, type LinkPort } from './take-name.ts'

const MAX_NAMES = 9999

/**
 * Gives a result the first free one of `names` in its folder and returns its path, or null where the file is gone or has
 * other bytes; it is then left alone. No name that is taken, also in other case or normalisation, is touched. `onPlanned` is awaited
 * before the file is. The file is first moved aside, to a hidden name that nobody else writes, so that its hash is checked on what is
 * renamed and not on what had the name before; a crash then is repaired by `sweepLeftovers` and `finishRename`. Throws
 * `name_taken`, `path_outside_root`, `disk_full` and `not_writable`.
 */
export function renameOutput(
  file: OwnResult,
  names: (n: number, room: number) => string,
  onPlanned: (path: string) => Promise<void>,
  links: LinkPort = realLinks,
): Promise<string | null> {
  return inFolder(file.dir, async () => {
    const folder = await openFolder(file.rootDir, file.dir)
    try {
      return await renameIn(folder, file, names, onPlanned, links)
    } finally {
      await folder.close()
    }
  })
}

async function renameIn(
  folder: FolderHandle,
  file: OwnResult,
  names: (n: number, room: number) => string,
  onPlanned: (path: string) => Promise<void>,
  links: LinkPort,
): Promise<string | null> {
  const { name, sha256 } = file
  if ((await hashFile(folder.at(name))) !== sha256) return null
  const taken = new Set((await readdir(folder.self)).map(collisionKey))
  const room = await nameRoomIn(folder)
  for (let n = 1; n <= MAX_NAMES; n++) {
    const wanted = names(n, room)
    // Also where only case or normalisation differ: some file systems take both for one name.
    if (collisionKey(wanted) === collisionKey(name)) return join(folder.path, name)
    if (taken.has(collisionKey(wanted))) continue
    await onPlanned(join(folder.path, wanted))
    await folder.assertUnmoved()
    const aside = await moveAside(folder, file, links)
    if (aside === null) return null
    const outcome = await takeName(folder.at(aside), folder.at(wanted), links).catch(async (error: unknown) => {
      await putBack(folder, aside, name, links)
      throw error
    })
    if (outcome === 'taken') await putBack(folder, aside, name, links)
    await syncFolder(folder.self)
    if (outcome === 'named') return join(folder.path, wanted)
    taken.add(collisionKey(wanted))
  }
  throw new AppError('name_taken', say('result_names_taken', { dir: folder.path }))
}

/** The hidden name that the result has now; null where another file had its name, which has it back. */
async function moveAside(folder: FolderHandle, file: OwnResult, links: LinkPort): Promise<string | null> {
  const { name, sha256, jobId, role } = file
  const aside = asideName(jobId, role, sha256, name)
  if ((await lstat(folder.at(aside)).catch(() => null)) !== null) return null
  await renameWithRetry(folder.at(name), folder.at(aside))
  if ((await hashFile(folder.at(aside))) === sha256) return aside
  await putBack(folder, aside, name, links)
  return null
}

/**
 * After a crash in `renameOutput`, once `sweepLeftovers` gave what was aside its name back: whether the result has its new name
 * (`to`) now. A result that has both names, as one file, loses the old one; an empty file that only reserved the new name goes.
 */
export function finishRename(file: OwnResult, to: string, links: LinkPort = realLinks): Promise<boolean> {
  return inFolder(file.dir, async () => {
    const folder = await openFolder(file.rootDir, file.dir)
    try {
      if ((await hashFile(folder.at(to))) !== file.sha256) {
        await freeReserved(folder, file, to, links)
        return false
      }
      const [before, after] = await Promise.all([statsAt(folder, file.name), statsAt(folder, to)])
      if (before === null) return true
      if (before.ino !== after?.ino || before.dev !== after.dev) return false
      const aside = await moveAside(folder, file, links)
      if (aside === null) return false
      await unlinkWithRetry(folder.at(aside))
      await syncFolder(folder.self)
      return true
    } finally {
      await folder.close()
    }
  })
}

const SHA256_OF_NOTHING = createHash('sha256').digest('hex')

/** Moved aside before it goes, as something may be written into it at that moment. */
async function freeReserved(folder: FolderHandle, file: OwnResult, to: string, links: LinkPort): Promise<void> {
  const { name, sha256, jobId, role } = file
  if ((await hashFile(folder.at(name))) !== sha256) return
  if (!(await isReservation(folder.at(to), folder.at(name), folder.at(partName(jobId, role)), links))) return
  const aside = await moveAside(folder, { ...file, name: to, sha256: SHA256_OF_NOTHING }, links)
  if (aside === null) return
  await unlinkWithRetry(folder.at(aside))
  await syncFolder(folder.self)
}

const statsAt = (folder: FolderHandle, name: string) => lstat(folder.at(name), { bigint: true }).catch(() => null)
