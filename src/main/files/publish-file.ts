import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { createKeyedMutex } from '../core/keyed-mutex.ts'
import { collisionKey, numberedName } from '../core/naming.ts'
import { syncFolder, toDiskError } from './disk-error.ts'
import { hashFile, openWithoutFollowing } from './hash-file.ts'
import type { FolderHandle } from './folder-handle.ts'
import { nameRoomIn } from './name-room.ts'
import { asideName } from './leftover-names.ts'
import { renameWithRetry, unlinkWithRetry } from './rename-with-retry.ts'
import { mustBeStaged, nameStaged, releaseStaged, removeStaged, type StagedPart } from './stage-file.ts'
import { takeAttributes } from './take-access.ts'
import { realLinks, takeName } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

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
        await removeStaged(part)
        await syncFolder(folder.self)
        await releaseStaged(part)
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

/**
 * What to do about a name: take it, try the next, count it as published, fill our own empty reservation, or replace our
 * output.
 */
type Way = 'take' | 'next' | 'alreadyThere' | 'fill' | { supersede: string }

async function wayPast(address: string, path: string, { part, isOwn }: PublishRequest): Promise<Way> {
  const recorded = await isOwn(path)
  const present = recorded === null ? null : await hashFile(address)
  if (recorded === null || present === null) return 'next'
  if (present === recorded) return recorded === part.sha256 ? 'alreadyThere' : { supersede: recorded }
  const empty = (await lstat(address)).size === 0
  return empty && recorded === part.sha256 ? 'fill' : 'next'
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
  if (way === 'take') return (await nameStaged(part, address, links)) === 'named'
  if (way === 'fill') {
    await renameWithRetry(part.folder.at(part.name), address)
    await mustBeStaged(part, address)
    return true
  }
  return supersede(name, way.supersede, part, links)
}

interface ExchangeRequest {
  /** Staged in the folder of the file that it replaces. */
  part: StagedPart
  name: string
  /** The recorded hash of our own output under that name. */
  recorded: string
  /** Awaited before the name is touched. */
  onPlanned: () => Promise<void> | void
  links?: LinkPort
}

/**
 * Replaces Hangar's own output with a staged file. `changed` when the file there was modified or is gone; it is then
 * left alone. A crash in between is repaired by `sweepLeftovers`. Throws as `publishFile` does. Unless the result is
 * `exchanged`, the part remains.
 */
export async function exchangeFile(request: ExchangeRequest): Promise<'exchanged' | 'changed'> {
  const { part, name, recorded, onPlanned, links = realLinks } = request
  const { folder } = part
  return inFolder(folder.path, async () => {
    await folder.assertUnmoved()
    if ((await hashFile(folder.at(name))) !== recorded) return 'changed'
    await onPlanned()
    await folder.assertUnmoved()
    if (!(await supersede(name, recorded, part, links))) return 'changed'
    await removeStaged(part)
    await syncFolder(folder.self)
    await releaseStaged(part)
    return 'exchanged'
  })
}

/**
 * Replaces our own earlier output. It is moved aside before it is checked, to a name that nobody else writes; if it
 * turns out to be another program's file, it gets its name back. A crash in between is repaired by `sweepLeftovers`.
 */
async function supersede(name: string, recorded: string, part: StagedPart, links: LinkPort): Promise<boolean> {
  const { folder } = part
  const aside = asideName(part.jobId, part.role, recorded, name)
  if ((await lstat(folder.at(aside)).catch(() => null)) !== null) return false
  await renameWithRetry(folder.at(name), folder.at(aside))
  if ((await hashFile(folder.at(aside))) !== recorded) {
    await putBack(folder, aside, name, links)
    return false
  }
  let outcome: 'named' | 'taken'
  try {
    await keepAttributes(folder.at(aside), part)
    outcome = await nameStaged(part, folder.at(name), links)
  } catch (error) {
    await putBack(folder, aside, name, links)
    throw error
  }
  await unlinkWithRetry(folder.at(aside))
  return outcome === 'named'
}

/** Tags that a person gave to the earlier result. */
async function keepAttributes(earlier: string, part: StagedPart): Promise<void> {
  const from = await openWithoutFollowing(earlier)
  try {
    await takeAttributes(part.handle, from)
  } finally {
    await from.close()
  }
}

/** Restores its name or, if that has been taken meanwhile, the next free one, so that the file stays visible. */
export async function putBack(folder: FolderHandle, aside: string, name: string, links: LinkPort): Promise<void> {
  for (let n = 1; n <= MAX_NAMES; n++) {
    const to = folder.at(numberedName(name, n))
    if ((await takeName(folder.at(aside), to, links)) === 'named') return
  }
  throw new AppError('name_taken', say('no_name_to_bring_back', { name, kept: aside }))
}
