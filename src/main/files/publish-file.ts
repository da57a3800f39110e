import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { createKeyedMutex } from '../core/keyed-mutex.ts'
import { collisionKey } from '../core/naming.ts'
import { syncFolder, toDiskError } from './disk-error.ts'
import { hashFile, openWithoutFollowing } from './regular-file.ts'
import { nameRoomIn } from './name-room.ts'
import { type LinkPort, realLinks, renameWithRetry, takeName } from './take-name.ts'
import { assertStaged, discardStaged, type StagedPart } from './stage-file.ts'
import { takeAttributes } from './take-access.ts'

export interface PublishRequest {
  /** The file is published in the part's own folder. */
  part: StagedPart
  /** The nth name to try, counting from 1. */
  names: (n: number, room: number) => string
  /** The hash recorded for Hangar's own output (or planned output) of the same source at this path, or null. */
  isOwn: (path: string) => string | null | Promise<string | null>
  /**
   * Awaited before a name is taken: recovery after a crash needs the plan on disk. May be called again for the next
   * name.
   */
  onPlanned: (path: string) => Promise<void> | void
  links?: LinkPort
}

const MAX_NAMES = 9999

/** Serialises publishing per folder, so that two names that differ only in case cannot both look free. */
const folderMutex = createKeyedMutex()

/**
 * Gives a staged file its final name and returns the path. A name that is taken, or differs from a taken one only in
 * case or Unicode normalisation, is skipped, unless it holds our own unchanged earlier output of the same source, which
 * is replaced. Nothing else is ever overwritten. Throws `AppError` `name_taken` when every name is taken, and
 * `path_outside_root`, `disk_full` or `not_writable`; the part then remains.
 */
export async function publishFile(request: PublishRequest): Promise<string> {
  const { part, names, onPlanned, links = realLinks } = request
  const { folder } = part
  return inFolder(folder.path, async () => {
    await folder.assertUnmoved()
    await assertStaged(part)
    const taken = new Set((await readdir(folder.self)).map(collisionKey))
    const room = await nameRoomIn(folder)
    for (let n = 1; n <= MAX_NAMES; n++) {
      const name = names(n, room)
      const address = folder.at(name)
      const path = join(folder.path, name)
      const way = taken.has(collisionKey(name)) ? await wayPast(address, path, request) : 'take'
      if (way === 'next') continue
      await onPlanned(path)
      await folder.assertUnmoved()
      if (await followWay(way, name, request, links)) {
        await discardStaged(part)
        await syncFolder(folder.self)
        return path
      }
      taken.add(collisionKey(name))
    }
    throw new AppError('name_taken', say('result_names_taken', { dir: folder.path }))
  })
}

/** Serialised with everything else that gives names in this folder; errors of the disk become `AppError`s. */
export async function inFolder<Outcome>(targetDir: string, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await folderMutex(targetDir, work)
  } catch (error) {
    throw toDiskError(error, targetDir)
  }
}

/** What to do about a name: take it, try the next, count it as published, or replace our output. */
type Way = 'take' | 'next' | 'alreadyThere' | { supersede: string }

async function wayPast(address: string, path: string, { part, isOwn }: PublishRequest): Promise<Way> {
  const recorded = await isOwn(path)
  const present = recorded === null ? null : await hashFile(address)
  if (recorded === null || present === null) return 'next'
  if (present !== recorded) return 'next'
  return recorded === part.sha256 ? 'alreadyThere' : { supersede: recorded }
}

/** True when the file now has its name. */
async function followWay(
  way: Exclude<Way, 'next'>,
  name: string,
  request: PublishRequest,
  links: LinkPort,
): Promise<boolean> {
  const { part } = request
  const address = part.folder.at(name)
  if (way === 'alreadyThere') return true
  if (way === 'take') return (await takeName(part.partPath, address, links)) === 'named'
  return supersede(name, way.supersede, part)
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

/**
 * Replaces Hangar's own output with a staged file. `changed` when the file there was modified or is gone; it is then
 * left alone. Throws as `publishFile` does. Unless the result is `exchanged`, the part remains.
 */
export async function exchangeFile(request: ExchangeRequest): Promise<'exchanged' | 'changed'> {
  const { part, name, recorded, onPlanned } = request
  const { folder } = part
  return inFolder(folder.path, async () => {
    await folder.assertUnmoved()
    await assertStaged(part)
    if ((await hashFile(folder.at(name))) !== recorded) return 'changed'
    await onPlanned()
    await folder.assertUnmoved()
    if (!(await supersede(name, recorded, part))) return 'changed'
    await syncFolder(folder.self)
    return 'exchanged'
  })
}

/** Replaces our own earlier output in one step. False where another program changed it. */
async function supersede(name: string, recorded: string, part: StagedPart): Promise<boolean> {
  const address = part.folder.at(name)
  if ((await hashFile(address)) !== recorded) return false
  await keepAttributes(address, part)
  await renameWithRetry(part.partPath, address)
  return true
}

/** Tags that a person gave to the earlier result. */
async function keepAttributes(earlier: string, { partPath }: StagedPart): Promise<void> {
  const [file, from] = [await openWithoutFollowing(partPath), await openWithoutFollowing(earlier)]
  try {
    await takeAttributes(file, from)
  } finally {
    await file.close()
    await from.close()
  }
}
