import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { createKeyedMutex } from '../core/keyed-mutex.ts'
import { collisionKey } from '../core/naming.ts'
import type { OwnResult } from '../core/published-output.ts'
import { syncFolder, toDiskError } from './disk-error.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { nameRoomOf } from './name-room.ts'
import { hashFile, openWithoutFollowing, whileOpen } from './regular-file.ts'
import { discardStaged, type StagedPart } from './stage-file.ts'
import { copyAttributes } from './take-access.ts'
import { realLinks, renameWithRetry, takeName, unlinkWithRetry, type LinkPort } from './take-name.ts'

/** The nth name to try, counting from 1; `room`: how many bytes one may have. */
type Names = (n: number, room: number) => string

export interface PublishRequest {
  /** The file is published in the part's own folder. */
  part: StagedPart
  names: Names
  /** The hash recorded for Hangar's own output (or planned output) of the same source at this path, or null. */
  isOwn: (path: string) => string | null | Promise<string | null>
  /** Awaited before a name is taken: recovery after a crash needs the plan on disk. */
  onPlanned: (path: string) => Promise<void> | void
  links?: LinkPort
}

const MAX_NAMES = 9999

/** Serialises publishing per folder, so that two names that differ only in case cannot both look free. */
const folderMutex = createKeyedMutex()

/**
 * Gives a staged file its final name and returns the path. A name that is taken is skipped, unless it holds our own unchanged earlier output of
 * the same source, which is replaced. Nothing else is ever overwritten. Throws `name_taken`, `path_outside_root`, `disk_full` or
 * `not_writable`; the part then remains.
 */
export async function publishFile(request: PublishRequest): Promise<string> {
  const { part, names, isOwn, onPlanned, links = realLinks } = request
  const { folder } = part
  return inFolder(folder.path, async () => {
    await folder.assertUnmoved()
    return firstName(folder, names, async (name, isTaken) => {
      const path = join(folder.path, name)
      const recorded = isTaken ? await isOwn(path) : null
      if (isTaken && (recorded === null || (await hashFile(folder.at(name))) !== recorded)) return null
      await onPlanned(path)
      const isThere =
        recorded === null
          ? (await takeName(part.partPath, folder.at(name), links)) === 'named'
          : recorded === part.sha256 || (await supersede(name, recorded, part))
      if (!isThere) return null
      await discardStaged(part)
      await syncFolder(folder.self)
      return path
    })
  })
}

/** What `attempt` makes of the first name for which that is not null. Throws `name_taken`. */
async function firstName(
  folder: FolderHandle,
  names: Names,
  attempt: (name: string, isTaken: boolean) => Promise<string | null>,
): Promise<string> {
  const taken = new Set((await readdir(folder.self)).map(collisionKey))
  const room = await nameRoomOf(folder.self)
  for (let n = 1; n <= MAX_NAMES; n++) {
    const name = names(n, room)
    const path = await attempt(name, taken.has(collisionKey(name)))
    if (path !== null) return path
    taken.add(collisionKey(name))
  }
  throw new AppError('name_taken', say('names_taken', { name: names(1, room), dir: folder.path }))
}

/** Serialised with everything else that gives names in this folder; errors of the disk become `AppError`s. */
async function inFolder<Outcome>(targetDir: string, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await folderMutex(targetDir, work)
  } catch (error) {
    throw toDiskError(error, targetDir)
  }
}

interface ExchangeRequest {
  /** Staged in the folder of the file that it replaces. */
  part: StagedPart
  name: string
  /** The recorded hash of our own output under that name. */
  recorded: string
  /** Awaited before the name is touched. */
  onPlanned: () => Promise<void> | void
}

/** Replaces Hangar's own output with a staged file, unless it `changed`; then the part remains, as after what `publishFile` throws. */
export async function exchangeFile(request: ExchangeRequest): Promise<'exchanged' | 'changed'> {
  const { part, name, recorded, onPlanned } = request
  const { folder } = part
  return inFolder(folder.path, async () => {
    await folder.assertUnmoved()
    if ((await hashFile(folder.at(name))) !== recorded) return 'changed'
    await onPlanned()
    if (!(await supersede(name, recorded, part))) return 'changed'
    await syncFolder(folder.self)
    return 'exchanged'
  })
}

/** Replaces our own earlier output in one step, and keeps tags that a person gave to it. False where another program changed it. */
async function supersede(name: string, recorded: string, { folder, partPath }: StagedPart): Promise<boolean> {
  const address = folder.at(name)
  if ((await hashFile(address)) !== recorded) return false
  await whileOpen(await openWithoutFollowing(partPath), async (file) =>
    whileOpen(await openWithoutFollowing(address), (from) => copyAttributes(file, from, ['xattr'])),
  )
  await renameWithRetry(partPath, address)
  return true
}

/**
 * Gives a result the first free one of `names` and returns its path, or null where the file is gone or has other bytes. `onPlanned` is awaited
 * before the file is touched. A crash is repaired by `finishRename`. Throws as `publishFile` does.
 */
export async function renameOutput(
  { rootDir, dir, name, sha256 }: OwnResult,
  names: Names,
  onPlanned: (path: string) => Promise<void>,
  links: LinkPort = realLinks,
): Promise<string | null> {
  return inFolder(dir, async () => {
    const folder = await openFolder(rootDir, dir)
    const isStill = async () => (await hashFile(folder.at(name))) === sha256
    if (!(await isStill())) return null
    let isChanged = false
    const path = await firstName(folder, names, async (wanted, isTaken) => {
      // Also where only case or normalisation differ: some file systems take both for one name.
      if (collisionKey(wanted) === collisionKey(name)) return join(folder.path, name)
      if (isTaken) return null
      await onPlanned(join(folder.path, wanted))
      // A program may have saved over it meanwhile.
      isChanged = !(await isStill())
      if (!isChanged && (await takeName(folder.at(name), folder.at(wanted), links)) !== 'named') return null
      await syncFolder(folder.self)
      return join(folder.path, wanted)
    })
    return isChanged ? null : path
  })
}

/** After a crash in `renameOutput`: whether the result has its new name now. One that has both names loses the old one. */
export function finishRename(file: OwnResult, to: string): Promise<boolean> {
  return inFolder(file.dir, async () => {
    const folder = await openFolder(file.rootDir, file.dir)
    if ((await hashFile(folder.at(to))) !== file.sha256) return false
    const [before, after] = await Promise.all(
      [file.name, to].map((name) => lstat(folder.at(name), { bigint: true }).catch(() => null)),
    )
    if (before == null) return true
    if (before.ino !== after?.ino || before.dev !== after.dev) return false
    await unlinkWithRetry(folder.at(file.name))
    await syncFolder(folder.self)
    return true
  })
}
