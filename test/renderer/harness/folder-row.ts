import type { FolderRow } from '../../../src/shared/contract/folders.ts'
import { NO_JOBS, stateWith } from './fake-bridge.ts'

/** A watched folder as the shell gives it; `id` decides what is not given. */
export function folderRow(id: string, more: Partial<FolderRow> = {}): FolderRow {
  return {
    id,
    path: `/home/ada/${id}`,
    recipe: stateWith().settings.recipe,
    include: [],
    exclude: [],
    alsoTakes: [],
    paused: false,
    askAbove: 100,
    addedAtMs: 0,
    state: 'watching',
    because: null,
    counts: NO_JOBS,
    lastEventAtMs: null,
    leftOut: { count: 0, first: [] },
    token: `token-of-folder-${id}`,
    ...more,
  }
}
