import { sep } from 'node:path'
import type { Folder } from '../../shared/contract/folders.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { transact, type Db } from '../journal/journal.ts'
import { forgetKnownFile, isLeftFile, knownFilesBelow, moveKnownFile, recordLeftFile } from '../journal/known-files.ts'
import { movedPath } from '../journal/relocate-jobs.ts'
import { findImages, type FoundImage } from '../watch/find-images.ts'
import type { OwnPlaces } from '../watch/own-places.ts'

/* What is recorded about the files in a folder when it starts to be watched or has moved. */

type Place = Pick<Folder, 'path' | 'include' | 'exclude' | 'recipe'> & Partial<Pick<Folder, 'alsoTakes'>>
type Others = readonly Pick<Folder, 'path'>[]

/** Throws `not_found` if the folder does not exist. */
async function imagesIn(
  { path, include, exclude, alsoTakes, recipe }: Place,
  own: OwnPlaces,
  others: Others = [],
): Promise<FoundImage[]> {
  const leftOut = others.map((other) => other.path).filter((other) => other.startsWith(path + sep))
  if (recipe.output.kind === 'folder') leftOut.push(recipe.output.dir)
  const { images, problems } = await findImages([path], { include, exclude, alsoTakes, leftOut, own })
  if (problems.some((problem) => problem.path === path)) throw new AppError('not_found', say('folder_not_there'))
  return images
}

/** Leaves every existing picture as it is, whatever the patterns, except in other watched folders below this one. */
export async function leaveExisting(db: Db, folder: Place, own: OwnPlaces, others: Others): Promise<void> {
  const images = await imagesIn({ path: folder.path, recipe: folder.recipe, include: [], exclude: [] }, own, others)
  transact(db, () => {
    for (const image of images) recordLeftFile(db, image)
  })
}

/** Lets existing pictures be inspected again, or only those that were left as they are, except in other watched folders below. */
export function forgetExisting(db: Db, { path }: Pick<Folder, 'path'>, others: Others, which: 'all' | 'left'): void {
  const inner = others.map((other) => other.path + sep).filter((prefix) => prefix.startsWith(path + sep))
  const own = [...knownFilesBelow(db, path)].filter((file) => !inner.some((prefix) => file.path.startsWith(prefix)))
  transact(db, () => {
    for (const file of own) if (which === 'all' || isLeftFile(db, file.path)) forgetKnownFile(db, file.path)
  })
}

/**
 * Moves what is known about the files of a moved folder to their new paths. A copy may have other times: a picture that was left stays left
 * if its size is unchanged, any other is inspected again. `alongside` runs in the same transaction. Throws `bad_request` if none of the
 * known pictures is there: another folder would be paid for.
 */
export async function moveKnownFiles(
  db: Db,
  from: string,
  folder: Place,
  own: OwnPlaces,
  alongside: () => void,
): Promise<void> {
  const images = await imagesIn(folder, own)
  const known = new Map([...knownFilesBelow(db, from)].map((file) => [movedPath(file.path, from, folder.path), file]))
  const isKnown = (image: FoundImage) => known.get(image.path)?.sizeBytes === image.sizeBytes
  if (known.size > 0 && !images.some(isKnown)) throw new AppError('bad_request', say('folder_not_moved'))
  transact(db, () => {
    for (const image of images) {
      const before = known.get(image.path)
      if (before === undefined || !isKnown(image)) continue
      if (before.mtimeNs === image.mtimeNs || isLeftFile(db, before.path)) moveKnownFile(db, before.path, image)
    }
    alongside()
  })
}
