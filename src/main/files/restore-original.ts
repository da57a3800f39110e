import { lstat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { syncFolder, toDiskError } from './disk-error.ts'
import { hashFile, hashHandle, openWithoutFollowing, whileOpen } from './regular-file.ts'
import { openIfThere, type FolderHandle } from './folder-handle.ts'
import {
  isUnchanged,
  keepOriginal,
  keptAlike,
  openOriginals,
  recordReplacement,
  removeRecord,
  type KeptOriginal,
} from './kept-originals.ts'
import { isGoneOrSame } from './respelled-picture.ts'
import { type LinkPort, realLinks, renameWithRetry, takeName } from './take-name.ts'

/** `changed_since`: the file is not the one that Hangar put there; `force` restores anyway and keeps that file like an original. */
type RestoreOutcome = { kind: 'restored' | 'nothing_kept' | 'already_original' | 'changed_since' }

/** Restores the newest kept original of `path` in one step: the same inode. Throws an `AppError`; the kept original then stays kept. */
export async function restoreOriginal(
  path: string,
  options: { force?: boolean; links?: LinkPort; rootDir?: string } = {},
): Promise<RestoreOutcome> {
  const dir = dirname(path)
  try {
    const folder = await openIfThere(options.rootDir ?? dir, dir)
    const originals = folder === null ? null : await openOriginals(folder, false)
    if (folder === null || originals === null) return { kind: 'nothing_kept' }
    const links = options.links ?? realLinks
    return await restore({ folder, originals, name: basename(path), links }, options.force === true)
  } catch (error) {
    throw toDiskError(error, dir)
  }
}

interface Place {
  folder: FolderHandle
  originals: FolderHandle
  name: string
  links: LinkPort
}

async function restore(place: Place, force: boolean): Promise<RestoreOutcome> {
  const { folder, originals, name, links } = place
  const kept = await keptFor(place)
  if (kept === undefined) return { kind: 'nothing_kept' }
  const [address, keptAddress] = [folder.at(name), originals.at(kept.name)]
  const before = await lstat(address, { bigint: true }).catch(() => null)
  if (before === null) {
    if ((await takeName(keptAddress, address, links)) === 'taken') return { kind: 'changed_since' }
    return forget(place, kept)
  }
  const present = await hashFile(address)
  if (present === kept.record.sha256) return { kind: 'already_original' }
  const isOurs = present !== null && kept.record.replacedBy.includes(present)
  if (!isOurs && (!force || !(await keepForeign(place)))) return { kind: 'changed_since' }
  if (!(await isUnchanged(address, before, !isOurs))) return { kind: 'changed_since' }
  await renameWithRetry(keptAddress, address)
  return forget(place, kept)
}

/** Under this name, or while it had another case or normal form, if the present file is what Hangar put in its place. */
async function keptFor({ folder, originals, name }: Place): Promise<KeptOriginal | undefined> {
  const alike = await keptAlike(originals, name)
  const exact = alike.find(({ record }) => record.name === name)
  const present = exact === undefined ? await hashFile(folder.at(name)) : null
  if (exact !== undefined || present === null) return exact
  for (const kept of alike) {
    const isIts = kept.record.replacedBy.includes(present) || kept.record.sha256 === present
    if (isIts && (await isGoneOrSame(folder.at(kept.record.name), folder.at(name)))) return kept
  }
  return undefined
}

/** Keeps the file that a forced restore replaces: forcing it once more swaps the two back. */
async function keepForeign(place: Place): Promise<boolean> {
  const handle = await openWithoutFollowing(place.folder.at(place.name)).catch(() => null)
  if (handle === null) return false
  return whileOpen(handle, async () => {
    const stats = await handle.stat({ bigint: true })
    const sha256 = stats.isFile() ? await hashHandle(handle) : null
    const kept = sha256 === null ? null : await keepOriginal({ ...place, handle, stats, sha256 })
    // Not recorded as replaced by the original: restoring twice would then drop the original as if it were an output.
    if (kept !== null) await recordReplacement(place.originals, kept, null, handle)
    return kept !== null
  })
}

async function forget({ folder, originals }: Place, kept: KeptOriginal): Promise<RestoreOutcome> {
  await syncFolder(folder.self)
  await removeRecord(originals, kept)
  return { kind: 'restored' }
}
