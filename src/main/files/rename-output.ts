import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { collisionKey } from '../core/naming.ts'
import type { OwnResult } from '../core/published-output.ts'
import { syncFolder } from './disk-error.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { hashFile } from './regular-file.ts'
import { nameRoomIn } from './name-room.ts'
import { inFolder } from './publish-file.ts'
import { type LinkPort, realLinks, takeName, unlinkWithRetry } from './take-name.ts'

const MAX_NAMES = 9999

/**
 * Gives a result the first free one of `names` in its folder and returns its path, or null where the file is gone or has
 * other bytes; it is then left alone. No name that is taken, also in other case or normalisation, is touched. `onPlanned` is awaited
 * before the file is. A crash is repaired by `finishRename`. Throws `name_taken`, `path_outside_root`, `disk_full` and `not_writable`.
 */
export function renameOutput(
  file: OwnResult,
  names: (n: number, room: number) => string,
  onPlanned: (path: string) => Promise<void>,
  links: LinkPort = realLinks,
): Promise<string | null> {
  return inFolder(file.dir, async () =>
    renameIn(await openFolder(file.rootDir, file.dir), file, names, onPlanned, links),
  )
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
    if ((await hashFile(folder.at(name))) !== sha256) return null
    if ((await takeName(folder.at(name), folder.at(wanted), links)) === 'named') {
      await syncFolder(folder.self)
      return join(folder.path, wanted)
    }
    taken.add(collisionKey(wanted))
  }
  throw new AppError('name_taken', say('result_names_taken', { dir: folder.path }))
}

/**
 * After a crash in `renameOutput`: whether the result has its new name (`to`) now. A result that has both names, as one file, loses the
 * old one.
 */
export function finishRename(file: OwnResult, to: string): Promise<boolean> {
  return inFolder(file.dir, async () => {
    const folder = await openFolder(file.rootDir, file.dir)
    if ((await hashFile(folder.at(to))) !== file.sha256) return false
    const [before, after] = await Promise.all([statsAt(folder, file.name), statsAt(folder, to)])
    if (before === null) return true
    if (before.ino !== after?.ino || before.dev !== after.dev) return false
    await unlinkWithRetry(folder.at(file.name))
    await syncFolder(folder.self)
    return true
  })
}

const statsAt = (folder: FolderHandle, name: string) => lstat(folder.at(name), { bigint: true }).catch(() => null)
