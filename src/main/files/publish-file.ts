import { lstat, readdir, realpath, rename, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import { collisionKey } from '../core/naming.ts'
import { syncFolder, toDiskError } from './disk-error.ts'
import { hashFile } from './hash-file.ts'
import { asideName } from './leftover-names.ts'
import { isInside, outside } from './real-path.ts'
import type { StagedPart } from './stage-file.ts'
import { discardStaged } from './stage-file.ts'
import { realLinks, takeName } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

export interface PublishRequest {
  part: StagedPart
  /** The folder that must contain everything written. */
  rootDir: string
  /** Where the part is and the file goes. */
  targetDir: string
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
  const { targetDir } = request
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
  const { part, rootDir, targetDir, names, onPlanned, links = realLinks } = request
  if (!isInside(await realpath(rootDir), await realpath(targetDir))) throw outside(targetDir)
  const taken = new Set((await readdir(targetDir)).map(collisionKey))
  for (let n = 1; n <= MAX_NAMES; n++) {
    const name = names(n)
    if (name !== basename(name) || name === '' || name === '.' || name === '..' || name.includes('\0'))
      throw outside(name)
    const path = join(targetDir, name)
    const way = taken.has(collisionKey(name)) ? await wayPast(path, request) : 'take'
    if (way === 'next') continue
    await onPlanned(path)
    if (await followWay(way, path, request, links)) {
      await discardStaged(part)
      await syncFolder(targetDir)
      return path
    }
    taken.add(collisionKey(name))
  }
  throw new AppError('name_taken', ownSentence('result_names_taken', { dir: targetDir }))
}

/** What to do about a file at the path: pass it by, count it as published, fill our own empty reservation, replace it. */
type Way = 'take' | 'next' | 'alreadyThere' | 'fill' | { supersede: string }

async function wayPast(path: string, { part, isOwn }: PublishRequest): Promise<Way> {
  const recorded = isOwn(path)
  const present = recorded === null ? null : await hashFile(path)
  if (recorded === null || present === null) return 'next'
  if (present === recorded) return recorded === part.sha256 ? 'alreadyThere' : { supersede: recorded }
  const empty = (await lstat(path)).size === 0
  return empty && recorded === part.sha256 ? 'fill' : 'next'
}

/** True when the file is at its name now. */
async function followWay(
  way: Exclude<Way, 'next'>,
  path: string,
  request: PublishRequest,
  links: LinkPort,
): Promise<boolean> {
  const { part } = request
  if (way === 'alreadyThere') return true
  if (way === 'take') return (await takeName(part.partPath, path, links)) === 'named'
  if (way === 'fill') {
    await rename(part.partPath, path)
    return true
  }
  return supersede(path, way.supersede, request, links)
}

/**
 * Replaces our own earlier output. It is moved aside first and looked at there, where nobody writes: what turns out to
 * be somebody else's goes back to its name. A crash in between is repaired by `sweepLeftovers`.
 */
async function supersede(path: string, recorded: string, request: PublishRequest, links: LinkPort): Promise<boolean> {
  const { part, targetDir, names } = request
  const aside = join(targetDir, asideName(part.jobId, part.role, recorded, basename(path)))
  if ((await lstat(aside).catch(() => null)) !== null) return false
  await rename(path, aside)
  if ((await hashFile(aside)) !== recorded) {
    await putBack(aside, path, names, links)
    return false
  }
  let outcome: 'named' | 'taken'
  try {
    outcome = await takeName(part.partPath, path, links)
  } catch (error) {
    await putBack(aside, path, names, links)
    throw error
  }
  await unlink(aside)
  return outcome === 'named'
}

/** Back to its name, or, when that was taken meanwhile, to the next free one: visible, never lost. */
export async function putBack(
  aside: string,
  path: string,
  names: (n: number) => string,
  links: LinkPort,
): Promise<string> {
  if ((await takeName(aside, path, links)) === 'named') return path
  for (let n = 2; n <= MAX_NAMES; n++) {
    const next = join(path, '..', names(n))
    if ((await takeName(aside, next, links)) === 'named') return next
  }
  throw new AppError('name_taken', `No name is free to bring ${path} back; it is kept as ${basename(aside)}.`)
}
