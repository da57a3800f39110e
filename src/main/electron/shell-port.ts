import { dialog, nativeImage, Notification, shell, type BrowserWindow, type OpenDialogOptions } from 'electron'
import type { Capability, Logger, ShellPort } from '../../shared/runtime/ports.ts'
import { externalLinks } from '../page/external-links.ts'
import type { Texts } from '../page/texts.ts'
import { resourcePath } from './resource-path.ts'

interface ShellPortDeps {
  log: Logger
  texts: () => Texts
  window: () => BrowserWindow | null
  /** Brings the window to the front, at this fragment of the page if one is given. */
  show: (address: string | null) => void
  hasTray: () => boolean
  setStartAtLogin: (enabled: boolean) => void
}

const PICTURES = ['jpg', 'jpeg', 'png', 'gif', 'webp']

/** What Electron does for the page: dialogs, the file manager, drags, notifications, links, start at login. */
export function electronShell(deps: ShellPortDeps): ShellPort {
  const links = externalLinks()
  // A notification without a reference is garbage-collected, and its click handler with it.
  const shown = new Set<Notification>()
  return {
    get capabilities() {
      return capabilities(deps.hasTray(), Object.keys(links).length > 0)
    },
    pickPaths: (kind) => pickPaths(deps, kind),
    async reveal(path) {
      shell.showItemInFolder(path)
    },
    startDrag(paths) {
      const [file] = paths
      if (file === undefined) return
      const icon = nativeImage.createFromPath(resourcePath('icons', 'drag.png'))
      deps.window()?.webContents.startDrag({ file, files: [...paths], icon })
    },
    notify({ title, body, address }) {
      const notification = new Notification({ title, body })
      const over = (): void => {
        shown.delete(notification)
      }
      notification.on('click', () => {
        over()
        deps.show(address)
      })
      notification.on('close', over)
      notification.on('failed', over)
      shown.add(notification)
      notification.show()
    },
    async openExternal(url) {
      // Whatever the caller asks for, only the listed addresses are ever passed to the system.
      if (!Object.values(links).includes(url)) return deps.log.warn('an address was not opened')
      await shell.openExternal(url)
    },
    setStartAtLogin: deps.setStartAtLogin,
  }
}

function capabilities(hasTray: boolean, hasLinks: boolean): ReadonlySet<Capability> {
  const always: Capability[] = ['pickPaths', 'dropPaths', 'reveal', 'startDrag', 'startAtLogin']
  if (Notification.isSupported()) always.push('notify')
  if (hasLinks) always.push('openExternal')
  if (hasTray) always.push('tray')
  return new Set(always)
}

/** On Linux and Windows a dialog picks either files or folders. */
async function pickPaths({ texts, window }: ShellPortDeps, kind: 'files' | 'folder'): Promise<string[]> {
  const { text } = texts()
  const options: OpenDialogOptions =
    kind === 'files'
      ? {
          title: text('dialog.pickFiles'),
          properties: ['openFile', 'multiSelections'],
          filters: [{ name: text('dialog.pictures'), extensions: PICTURES }],
        }
      : { title: text('dialog.pickFolder'), properties: ['openDirectory', 'createDirectory', 'multiSelections'] }
  const owner = window()
  const { canceled, filePaths } = await (owner === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(owner, options))
  return canceled ? [] : filePaths
}
