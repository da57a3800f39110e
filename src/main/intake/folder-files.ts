import { sep } from 'node:path'
import type { Folder } from '../../shared/contract/folders.ts'
import { AppError } from '../../shared/errors.ts'
import { say } from '../../shared/sentence.ts'
import { transact, type Db } from '../journal/journal.ts'
import { forgetKnownFile, isLeftFile, knownFilesBelow, moveKnownFile, recordLeftFile } from '../journal/known-files.ts'
import { movedPath } from '../journal/relocate-jobs.ts'
import { findImages, type FoundImage } from '../watch/find-images.ts'
import type { OwnPlaces } from '../watch/own-places.ts'

/* What is known of the files that lie in a watched folder before it is watched there. */

type Place = Pick<Folder, 'path' | 'include' | 'exclude' | 'recipe'>

/** Throws `not_found` for a folder that is not there. */
async function imagesIn({ path, include, exclude, recipe }: Place, own: OwnPlaces): Promise<FoundImage[]> {
  const leftOut = recipe.output.kind === 'folder' ? [recipe.output.dir] : []
  const { images, problems } = await findImages([path], { include, exclude, leftOut, own })
  if (problems.some((problem) => problem.path === path)) throw new AppError('not_found', say('folder_not_there'))
  return images
}

/** Every picture that is there now stays as it is: only those that come, or change, from now on are taken in. */
export async function leaveExisting(db: Db, folder: Place, own: OwnPlaces): Promise<void> {
  const images = await imagesIn(folder, own)
  transact(db, () => {
    for (const image of images) recordLeftFile(db, image)
  })
}

/** What was left before counts again, except in other watched folders below this one. */
export function takeExisting(db: Db, { path }: Pick<Folder, 'path'>, others: readonly Pick<Folder, 'path'>[]): void {
  const inner = others.map((other) => other.path + sep).filter((prefix) => prefix.startsWith(path + sep))
  const left = [...knownFilesBelow(db, path)].filter((file) => !inner.some((prefix) => file.path.startsWith(prefix)))
  transact(db, () => {
    for (const file of left) if (isLeftFile(db, file.path)) forgetKnownFile(db, file.path)
  })
}

/**
 * What is known of the files of a folder that has moved is known of them where they are now. A copy may have other times: a picture
 * that was left stays left where its size is the same; any other is looked at again, which costs nothing.
 */
export async function moveKnownFiles(db: Db, from: string, folder: Place, own: OwnPlaces): Promise<void> {
  const images = await imagesIn(folder, own)
  const known = new Map([...knownFilesBelow(db, from)].map((file) => [movedPath(file.path, from, folder.path), file]))
  transact(db, () => {
    for (const image of images) {
      const before = known.get(image.path)
      if (before === undefined || before.sizeBytes !== image.sizeBytes) continue
      if (before.mtimeNs === image.mtimeNs || isLeftFile(db, before.path)) moveKnownFile(db, before.path, image)
    }
  })
}
