import { lstat, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import { collisionKey } from '../core/naming.ts'
import { syncFolder, toDiskError } from './disk-error.ts'
import { hashFile } from './hash-file.ts'
import type { HeldFolder } from './held-folder.ts'
import { asideName } from './leftover-names.ts'
import { mustBeStaged, nameStaged, releaseStaged, removeStaged, type StagedPart } from './stage-file.ts'
import { realLinks, takeName } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

export interface PublishRequest {
  /** Its folder is where the file goes. */
  part: StagedPart
  /** The name to try as the nth; `n` counts from 1. */
  names: (n: number) => string
  /** The hash that Hangar recorded for its own output of the same source at this path (planned ones too), or null. */
  isOwn: (path: string) => string | null
  /** Awaited before a name is taken: a plan on disk is what makes a crash repairable. May be called again for the next name. */
  onPlanned: (path: string) => Promise<void> | void
  links?: LinkPort
}

const MAX_NAMES = 9999

/** One publication at a time in a folder, so that two names that differ in case only cannot both look free. */
const folderTurns = new Map<string, Promise<unknown>>()

/**
 * Gives a staged file its final name and returns the path. A name that is taken, or that only differs in case or accent
 * form from a taken one, is passed over, unless what is there is our own earlier output of the same source, unchanged:
 * that one makes way. Nothing else is ever overwritten. Throws `AppError` `name_taken` when every name is taken, and
 * `path_outside_root`, `disk_full` or `not_writable`; then the part is still there.
 */
export async function publishFile(request: PublishRequest): Promise<string> {
  const targetDir = request.part.folder.path
  const before = folderTurns.get(targetDir) ?? Promise.resolve()
  const mine = before.then(() => publishInTurn(request))
  const settled = mine.catch(() => undefined)
  folderTurns.set(targetDir, settled)
  try {
    return await mine
  } catch (error) {
    throw toDiskError(error, targetDir)
  } finally {
    if (folderTurns.get(targetDir) === settled) folderTurns.delete(targetDir)
  }
}

async function publishInTurn(request: PublishRequest): Promise<string> {
  const { part, names, onPlanned, links = realLinks } = request
  const { folder } = part
  await folder.mustStand()
  const taken = new Set((await readdir(folder.self)).map(collisionKey))
  for (let n = 1; n <= MAX_NAMES; n++) {
    const name = names(n)
    const address = folder.at(name)
    const path = join(folder.path, name)
    const way = taken.has(collisionKey(name)) ? await wayPast(address, path, request) : 'take'
    if (way === 'next') continue
    await onPlanned(path)
    await folder.mustStand()
    if (await followWay(way, name, request, links)) {
      await removeStaged(part)
      await syncFolder(folder.self)
      await releaseStaged(part)
      return path
    }
    taken.add(collisionKey(name))
  }
  throw new AppError('name_taken', ownSentence('result_names_taken', { dir: folder.path }))
}

/** What to do about a file at the path: pass it by, count it as published, fill our own empty reservation, replace it. */
type Way = 'take' | 'next' | 'alreadyThere' | 'fill' | { supersede: string }

async function wayPast(address: string, path: string, { part, isOwn }: PublishRequest): Promise<Way> {
  const recorded = isOwn(path)
  const present = recorded === null ? null : await hashFile(address)
  if (recorded === null || present === null) return 'next'
  if (present === recorded) return recorded === part.sha256 ? 'alreadyThere' : { supersede: recorded }
  const empty = (await lstat(address)).size === 0
  return empty && recorded === part.sha256 ? 'fill' : 'next'
}

/** True when the file is at its name now. */
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
    await rename(part.folder.at(part.name), address)
    await mustBeStaged(part, address)
    return true
  }
  return supersede(name, way.supersede, request, links)
}

/**
 * Replaces our own earlier output. It is moved aside first and looked at there, where nobody writes: what turns out to
 * be another program's goes back to its name. A crash in between is repaired by `sweepLeftovers`.
 */
async function supersede(name: string, recorded: string, request: PublishRequest, links: LinkPort): Promise<boolean> {
  const { part, names } = request
  const { folder } = part
  const aside = asideName(part.jobId, part.role, recorded, name)
  if ((await lstat(folder.at(aside)).catch(() => null)) !== null) return false
  await rename(folder.at(name), folder.at(aside))
  if ((await hashFile(folder.at(aside))) !== recorded) {
    await putBack(folder, aside, name, names, links)
    return false
  }
  let outcome: 'named' | 'taken'
  try {
    outcome = await nameStaged(part, folder.at(name), links)
  } catch (error) {
    await putBack(folder, aside, name, names, links)
    throw error
  }
  await unlink(folder.at(aside))
  return outcome === 'named'
}

/** Back to its name, or, when that was taken meanwhile, to the next free one: visible, never lost. */
export async function putBack(
  folder: HeldFolder,
  aside: string,
  name: string,
  names: (n: number) => string,
  links: LinkPort,
): Promise<void> {
  for (let n = 1; n <= MAX_NAMES; n++) {
    const to = folder.at(n === 1 ? name : names(n))
    if ((await takeName(folder.at(aside), to, links)) === 'named') return
  }
  throw new AppError('name_taken', `No name is free to bring ${name} back; it is kept as ${aside}.`)
}
