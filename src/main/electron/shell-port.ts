import { basename } from 'node:path'
import { dialog, nativeImage, Notification, shell, type BrowserWindow, type OpenDialogOptions } from 'electron'
import { writeWhole } from '../files/write-whole.ts'
import { PICTURE_SUFFIXES } from '../../shared/jobs/picture-name.ts'
import type { Capability, DesktopShell, FileManagers, Logger } from '../../shared/runtime/ports.ts'
import { externalLinks } from '../page/external-links.ts'
import type { Texts } from '../page/texts.ts'
import { resourcePath } from './page-address.ts'

interface ShellPortDeps {
  log: Logger
  texts: () => Texts
  window: () => BrowserWindow | null
  show: (address: string | null) => void
  hasTray: () => boolean
  setStartAtLogin: (enabled: boolean) => Promise<void>
  fileManagers: FileManagers
}

const PICTURES = Object.values(PICTURE_SUFFIXES).flat()

/** What Electron does for the page: dialogs, the file manager, drags, notifications, links, start at login. */
export function electronShell(deps: ShellPortDeps): DesktopShell {
  const links = externalLinks()
  // A notification without a reference is garbage-collected, and its click handler with it.
  const shown = new Set<Notification>()
  return {
    get capabilities() {
      return capabilities(deps.hasTray(), Object.keys(links).length > 0)
    },
    pickPaths: (kind) => pickPaths(deps, kind),
    saveText: (filename, text) => saveText(deps, filename, text),
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
      const notification = new Notification({ title, body, icon: resourcePath('icons', 'icon.png') })
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
    fileManagers: deps.fileManagers,
  }
}

function capabilities(hasTray: boolean, hasLinks: boolean): ReadonlySet<Capability> {
  const always: Capability[] = [
    'pickPaths',
    'dropPaths',
    'reveal',
    'saveFiles',
    'startDrag',
    'startAtLogin',
    'fileManagers',
  ]
  if (Notification.isSupported()) always.push('notify')
  if (hasLinks) always.push('openExternal')
  if (hasTray) always.push('tray')
  return new Set(always)
}

async function saveText({ texts, window }: ShellPortDeps, filename: string, text: string): Promise<string | null> {
  const owner = window()
  const options = { title: texts().text('dialog.save'), defaultPath: basename(filename) }
  const { canceled, filePath } = await (owner === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(owner, options))
  if (canceled || filePath === '') return null
  await writeWhole(filePath, text)
  return basename(filePath)
}

/** On Linux and Windows a dialog picks either files or folders. */
async function pickPaths({ texts, window }: ShellPortDeps, kind: 'files' | 'folder'): Promise<string[]> {
  const { text } = texts()
  const options: OpenDialogOptions =
    kind === 'files'
      ? {
          title: text('common:choosePictures'),
          properties: ['openFile', 'multiSelections'],
          filters: [{ name: text('common:places.jobs'), extensions: PICTURES }],
        }
      : { title: text('common:chooseFolder'), properties: ['openDirectory', 'createDirectory', 'multiSelections'] }
  const owner = window()
  const { canceled, filePaths } = await (owner === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(owner, options))
  return canceled ? [] : filePaths
}
