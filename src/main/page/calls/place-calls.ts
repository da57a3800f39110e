import { lstat, stat, mkdir, readdir } from 'node:fs/promises'
import { resolve, basename, dirname, join } from 'node:path'
import { AppError } from '../../../shared/sentences/errors.ts'
import type { Place, BrowseView } from '../../../shared/contract/places.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { shellThat, type PageCallDeps, type PageHandlers } from './page-call-deps.ts'
import type { Dirent } from 'node:fs'
import { errorCode } from '../../../shared/runtime/error-code.ts'
import { isImageName, isLeftOutFolderName } from '../../watch/path-filter.ts'
import type { PlaceRegistry } from '../place-registry.ts'

export function placeCalls({ shell, places, homeDir }: PageCallDeps) {
  return {
    'places.pick': async ({ kind }) => {
      const picked: Place[] = []
      for (const path of await shellThat(shell, 'pickPaths').pickPaths(kind)) {
        const found = await stat(path).catch(() => null)
        if (found !== null) picked.push(places.register(resolve(path), found.isDirectory() ? 'folder' : 'file'))
      }
      return { places: picked }
    },
    'places.browse': async ({ folder }) => {
      shellThat(shell, 'browse')
      return browseFolder(places, folder ?? homeDir)
    },
    'places.makeFolder': async ({ parent, name }) => {
      shellThat(shell, 'browse')
      return makeFolderIn(places, parent, name)
    },
    'places.saveText': async ({ filename, text }) => ({
      savedAs: await shellThat(shell, 'saveFiles').saveText(filename, text),
    }),
    'places.reveal': async ({ path }) => {
      const desktop = shellThat(shell, 'reveal')
      if ((await lstat(path).catch(() => null)) === null) throw new AppError('not_found', say('place_gone'))
      await desktop.reveal(path)
    },
  } satisfies Partial<PageHandlers>
}

/** Only files that a job names and that exist. */
export function outputCalls({ shell, output }: PageCallDeps) {
  const pathOf = async ({ id, index }: { id: string; index: number | null }): Promise<string> => {
    const found = await output(id, index)
    if (found === null) throw new AppError('not_found', say('place_gone'))
    return found.path
  }
  return {
    'outputs.reveal': async (which) => shellThat(shell, 'reveal').reveal(await pathOf(which)),
    'outputs.drag': async ({ items }) => {
      const desktop = shellThat(shell, 'startDrag')
      if (items.length > 0) desktop.startDrag(await Promise.all(items.map(pathOf)))
    },
  } satisfies Partial<PageHandlers>
}

const MAX_FOLDERS = 2000

/**
 * The folders in a folder by name, and the number of pictures. Hidden and system folders, which are never entered, are left out. Throws
 * `not_found` or `unreadable`.
 */
async function browseFolder(places: PlaceRegistry, path: string): Promise<BrowseView> {
  const here = resolve(path)
  const entries = await entriesOf(here)
  const names: string[] = []
  for (const entry of entries) if (await isFolderToShow(here, entry)) names.push(entry.name)
  names.sort((one, other) => one.localeCompare(other, undefined, { numeric: true, sensitivity: 'base' }))
  const parent = dirname(here)
  return {
    here: places.register(here, 'folder'),
    parent: parent === here ? null : places.register(parent, 'folder').token,
    folders: names.slice(0, MAX_FOLDERS).map((name) => places.register(join(here, name), 'folder')),
    pictures: entries.filter((entry) => entry.isFile() && isImageName(entry.name)).length,
    cut: names.length > MAX_FOLDERS,
  }
}

/** Throws `bad_request` for anything but a plain name, `name_taken`, or the parent's error. */
async function makeFolderIn(places: PlaceRegistry, parent: string, given: string): Promise<Place> {
  const name = given.trim().normalize('NFC')
  // eslint-disable-next-line no-control-regex -- characters that are not allowed in a name
  if (name === '' || name !== basename(name) || /^\.|[/\\\u0000-\u001f]/.test(name))
    throw new AppError('bad_request', say('folder_name_bad'))
  const path = join(parent, name)
  try {
    await mkdir(path)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new AppError('name_taken', say('folder_name_taken'))
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
    return new AppError('not_found', say('folder_not_there'), { cause: error })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new AppError('unreadable', say('folder_forbidden'), { cause: error })
  return new AppError('unreadable', say('folder_unusable', { why: code || 'unknown error' }), { cause: error })
}
