import { lstat, realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import { ownSentence } from '../../../shared/own-sentences.ts'
import type { Place } from '../../../shared/ui-contract.ts'
import { callEngine } from '../../call-engine.ts'
import { isHangarsOwn, ownPlaces } from '../../watch/own-places.ts'
import { browseFolder, makeFolderIn } from '../browse.ts'
import { needCapability, type UiCallDeps, type UiHandlers } from './ui-call-deps.ts'

type PlaceHandlers = Pick<
  UiHandlers,
  'places.pick' | 'places.browse' | 'places.makeFolder' | 'places.reveal' | 'inbox.choose'
>

export function placeCalls({ engine, shell, places, homeDir, dataDir }: UiCallDeps): PlaceHandlers {
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
    'places.browse': async ({ token }) => {
      needCapability(shell, 'browse')
      return browseFolder(places, token === null ? homeDir : places.resolveFolder(token))
    },
    'places.makeFolder': async ({ parent, name }) => {
      needCapability(shell, 'browse')
      return makeFolderIn(places, places.resolveFolder(parent), name)
    },
    'places.reveal': async ({ token }) => {
      needCapability(shell, 'reveal')
      const path = places.resolve(token)
      if ((await lstat(path).catch(() => null)) === null)
        throw new AppError('not_found', 'This file or folder is not there any more.')
      await shell.reveal(path)
      return {}
    },
    'inbox.choose': async ({ token }) => {
      const path = places.resolveFolder(token)
      if ((await stat(path).catch(() => null))?.isDirectory() !== true)
        throw new AppError('not_found', 'This folder is not there any more. Choose another.')
      if (isHangarsOwn(await realpath(path), ownPlaces(dataDir, null)))
        throw new AppError('bad_request', ownSentence('folder_own'))
      await callEngine(engine, 'settings.set', { inboxDir: path })
      return {}
    },
  }
}
