import { lstat, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../../../shared/sentences/errors.ts'
import type { Place } from '../../../shared/contract/places.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { sniffImageType } from '../../images/image-type.ts'
import { orThrow } from '../../../shared/contract/call.ts'
import { browseFolder, makeFolderIn } from '../browse.ts'
import { shellThat, type PageCallDeps, type PageHandlers } from './page-call-deps.ts'

export function placeCalls({ engine, shell, places, homeDir }: PageCallDeps) {
  return {
    'places.pick': async ({ kind }) => {
      const picked: Place[] = []
      for (const path of await shellThat(shell, 'pickPaths').pickPaths(kind)) {
        const found = await stat(path).catch(() => null)
        if (found !== null) picked.push(places.register(resolve(path), found.isDirectory() ? 'folder' : 'file'))
      }
      return { places: picked }
    },
    'places.openRecent': async ({ folder }) => {
      const found = await stat(folder).catch(() => null)
      if (found?.isDirectory() === true) return { place: places.register(folder, 'folder') }
      shell.recent?.forget(folder)
      return { place: null }
    },
    'places.clearRecent': () => {
      shell.recent?.clear()
    },
    'intake.preview': async (request) => {
      shell.recent?.add(request.paths.filter((path) => places.isFolder(path)))
      return orThrow(engine.perform('intake.preview', request))
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
    'places.savePicture': async ({ filename, bytes }) => {
      const desktop = shellThat(shell, 'saveFiles')
      if (sniffImageType(bytes) === null) throw new AppError('bad_request', say('upload_no_picture'))
      const path = await desktop.savePicture(filename, bytes)
      return { place: path === null ? null : places.register(path, 'file') }
    },
    'places.reveal': async ({ path }) => {
      const desktop = shellThat(shell, 'reveal')
      if ((await lstat(path).catch(() => null)) === null) throw new AppError('not_found', say('place_gone'))
      await desktop.reveal(path)
    },
  } satisfies Partial<PageHandlers>
}

/** Originals and results as files: only those that a listed job names and that exist. */
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
