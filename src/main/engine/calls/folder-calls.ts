import type { CallsDeps, HandlersOf } from './call-deps.ts'
import { withoutUndefined } from '../../../shared/settings/without-undefined.ts'

export function folderCalls({ folders }: CallsDeps): HandlersOf<'folders'> {
  return {
    'folders.list': () => ({ folders: folders.views() }),
    'folders.add': async ({ existing, ...folder }) => ({ id: (await folders.add(folder, existing)).id }),
    'folders.locate': async ({ id, path }) => {
      await folders.locate(id, path)
      return {}
    },
    'folders.update': async ({ id, changes, reprocess }) => {
      await folders.update(id, withoutUndefined(changes), reprocess)
      return {}
    },
    'folders.remove': async ({ id }) => {
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
