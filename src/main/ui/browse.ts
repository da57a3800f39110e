import type { Dirent } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { BrowseView, Place } from '../../shared/ui-contract.ts'
import { errorCode } from '../files/disk-error.ts'
import { isImageName, isLeftOutFolderName } from '../watch/path-filter.ts'
import type { PlaceRegistry } from './place-registry.ts'

const MOST_FOLDERS = 2000

/**
 * What a folder holds, for a page that chooses one where there is no dialogue: folders by name, and how many pictures.
 * Hidden and system folders, which are never entered, are left out. Throws `not_found` or `unreadable`.
 */
export async function browseFolder(places: PlaceRegistry, path: string): Promise<BrowseView> {
  const here = resolve(path)
  const entries = await entriesOf(here)
  const names: string[] = []
  for (const entry of entries) if (await isFolderToShow(here, entry)) names.push(entry.name)
  names.sort((one, other) => one.localeCompare(other, undefined, { numeric: true, sensitivity: 'base' }))
  const parent = dirname(here)
  return {
    here: places.register(here, 'folder'),
    parent: parent === here ? null : places.register(parent, 'folder').token,
    folders: names.slice(0, MOST_FOLDERS).map((name) => places.register(join(here, name), 'folder')),
    pictures: entries.filter((entry) => entry.isFile() && isImageName(entry.name)).length,
    cut: names.length > MOST_FOLDERS,
  }
}

/** Throws `bad_request` for what is no plain name, `name_taken`, or what is wrong with the parent. */
export async function makeFolderIn(places: PlaceRegistry, parent: string, given: string): Promise<Place> {
  const name = given.trim().normalize('NFC')
  // eslint-disable-next-line no-control-regex -- characters that no name may have
  if (name === '' || name !== basename(name) || /^\.|[/\\\u0000-\u001f]/.test(name))
    throw new AppError('bad_request', ownSentence('folder_name_bad'))
  const path = join(parent, name)
  try {
    await mkdir(path)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new AppError('name_taken', ownSentence('folder_name_taken'))
    throw folderError(error)
  }
  return places.register(path, 'folder')
}

async function entriesOf(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    throw folderError(error)
  }
}

async function isFolderToShow(here: string, entry: Dirent): Promise<boolean> {
  if (isLeftOutFolderName(entry.name)) return false
  if (entry.isDirectory()) return true
  if (!entry.isSymbolicLink()) return false
  return stat(join(here, entry.name)).then(
    (target) => target.isDirectory(),
    () => false,
  )
}

function folderError(error: unknown): AppError {
  const code = errorCode(error)
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new AppError('not_found', ownSentence('folder_not_there'), { cause: error })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new AppError('unreadable', ownSentence('folder_forbidden'), {
      cause: error,
    })
  return new AppError('unreadable', ownSentence('folder_unusable', { why: code || 'unknown error' }), { cause: error })
}
