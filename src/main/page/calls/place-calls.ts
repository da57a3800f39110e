import { lstat, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../../../shared/sentences/errors.ts'
import type { Place } from '../../../shared/contract/places.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { sniffImageType } from '../../images/image-type.ts'
import { orThrow } from '../../../shared/contract/call.ts'
import { browseFolder, makeFolderIn } from '../browse.ts'
import { needCapability, type PageCallDeps, type PageHandlers } from './page-call-deps.ts'

export function placeCalls({ engine, shell, places, homeDir }: PageCallDeps) {
  return {
    'places.pick': async ({ kind }) => {
      needCapability(shell, 'pickPaths')
      const picked: Place[] = []
      for (const path of await shell.pickPaths(kind)) {
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
      return {}
    },
    'intake.preview': async (request) => {
      shell.recent?.add(request.paths.filter((path) => places.isFolder(path)))
      return orThrow(engine.perform('intake.preview', request))
    },
    'places.browse': async ({ folder }) => {
      needCapability(shell, 'browse')
      return browseFolder(places, folder ?? homeDir)
    },
    'places.makeFolder': async ({ parent, name }) => {
      needCapability(shell, 'browse')
      return makeFolderIn(places, parent, name)
    },
    'places.saveText': async ({ filename, text }) => {
      needCapability(shell, 'saveFiles')
      return { savedAs: await shell.saveText(filename, text) }
    },
    'places.savePicture': async ({ filename, bytes }) => {
      needCapability(shell, 'saveFiles')
      if (sniffImageType(bytes) === null) throw new AppError('bad_request', say('upload_no_picture'))
      const path = await shell.savePicture(filename, bytes)
      return { place: path === null ? null : places.register(path, 'file') }
    },
    'places.reveal': async ({ path }) => {
      needCapability(shell, 'reveal')
      if ((await lstat(path).catch(() => null)) === null) throw new AppError('not_found', say('place_gone'))
      await shell.reveal(path)
      return {}
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
    'outputs.reveal': async (which) => {
      needCapability(shell, 'reveal')
      await shell.reveal(await pathOf(which))
      return {}
    },
    'outputs.drag': async ({ items }) => {
      needCapability(shell, 'startDrag')
      if (items.length > 0) shell.startDrag(await Promise.all(items.map(pathOf)))
      return {}
    },
  } satisfies Partial<PageHandlers>
}
