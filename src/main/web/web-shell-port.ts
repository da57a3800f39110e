import type { ShellPort } from '../../shared/runtime/ports.ts'

const missing = (what: string) => () => {
  throw new Error(`a browser cannot ${what}, and its capabilities say so`)
}

/** What a page in a browser can do: it picks folders on the engine's computer and transfers files by HTTP. */
export const webShellPort: ShellPort = {
  capabilities: new Set(['browse', 'upload', 'download'] as const),
  recent: null,
  fileManagers: null,
  pickPaths: missing('pick paths'),
  saveText: missing('ask where to save'),
  savePicture: missing('ask where to save'),
  reveal: missing('show files'),
  startDrag: missing('drag files out'),
  notify: missing('notify'),
  openExternal: missing('open links for the engine'),
  setStartAtLogin: missing('start Hangar at login'),
}
