import { refuseFixedFolder } from '../fixed-config.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'
import { withoutUndefined } from '../../../shared/settings/without-undefined.ts'

export function folderCalls({ folders, config }: CallsDeps): HandlersOf<'folders'> {
  return {
    'folders.list': () => ({ folders: folders.views() }),
    'folders.add': async ({ existing, ...folder }) => ({ id: (await folders.add(folder, existing)).id }),
    'folders.locate': async ({ id, path }) => {
      refuseFixedFolder(config, folders.get(id), null)
      await folders.locate(id, path)
      return {}
    },
    'folders.update': async ({ id, changes, reprocess }) => {
      const now = folders.get(id)
      refuseFixedFolder(config, now, { ...now, ...withoutUndefined(changes) })
      await folders.update(id, withoutUndefined(changes), reprocess)
      return {}
    },
    'folders.remove': async ({ id }) => {
      refuseFixedFolder(config, folders.get(id), null)
      await folders.remove(id)
      return {}
    },
    'folders.putBack': async ({ id }) => {
      await folders.putBack(id)
      return {}
    },
    'folders.reconcile': async ({ id }) => {
      await folders.reconcile(id)
      return {}
    },
  }
}
