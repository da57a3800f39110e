import { existsSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import process from 'node:process'
import { app, dialog, nativeImage, Notification, shell, type BrowserWindow, type OpenDialogOptions } from 'electron'
import { writeWhole } from '../files/write-whole.ts'
import { PICTURE_SUFFIXES, pictureSuffix } from '../../shared/jobs/picture-name.ts'
import type { Capability, FileManagers, Logger, RecentFolders, DesktopShell } from '../../shared/runtime/ports.ts'
import { externalLinks } from '../page/external-links.ts'
import type { Texts } from '../page/texts.ts'
import { keepRecent } from './recent-folders.ts'
import { resourcePath } from './page-address.ts'
import { z } from 'zod'
import { readOwnFile, writeOwnFile } from './window-bounds.ts'

interface ShellPortDeps {
  log: Logger
  texts: () => Texts
  window: () => BrowserWindow | null
  /** Brings the window to the front, at this fragment of the page if one is given. */
  show: (address: string | null) => void
  hasTray: () => boolean
  setStartAtLogin: (enabled: boolean) => Promise<void>
  pickerFolders: PickerFolderFile
  recent: RecentFolders
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
    recent: deps.recent,
    pickPaths: (kind) => pickPaths(deps, kind),
    saveText: (filename, text) => saveText(deps, filename, text),
    savePicture: (filename, bytes) => savePicture(deps, filename, bytes),
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

async function saveText(deps: ShellPortDeps, filename: string, text: string): Promise<string | null> {
  const path = await askWhere(deps, 'save', filename, deps.pickerFolders.of('save'))
  if (path === null) return null
  await writeWhole(path, text)
  return basename(path)
}

async function savePicture(deps: ShellPortDeps, filename: string, bytes: Uint8Array): Promise<string | null> {
  const begin = deps.pickerFolders.of('picture') ?? app.getPath('pictures')
  const chosen = await askWhere(deps, 'picture', filename, begin)
  if (chosen === null) return null
  const suffix = extname(filename)
  // Without it nothing would take it for a picture. Under that name the box asked about no file that is there.
  const path = pictureSuffix(chosen) === null ? freeName(chosen, suffix) : chosen
  await writeWhole(path, bytes)
  return path
}

function freeName(stem: string, suffix: string): string {
  for (let n = 1; ; n += 1) {
    const path = `${stem}${n === 1 ? '' : `-${n}`}${suffix}`
    if (!existsSync(path)) return path
  }
}

/** The path that the person chose; null when they cancelled. */
async function askWhere(
  { texts, window, pickerFolders }: ShellPortDeps,
  kind: PickerKind,
  filename: string,
  begin = '',
): Promise<string | null> {
  const owner = window()
  const options = { title: texts().text('dialog.save'), defaultPath: join(begin, basename(filename)) }
  const { canceled, filePath } = await (owner === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(owner, options))
  if (canceled || filePath === '') return null
  pickerFolders.keep(kind, dirname(filePath))
  return filePath
}

/** On Linux and Windows a dialog picks either files or folders. */
async function pickPaths({ texts, window, pickerFolders }: ShellPortDeps, kind: 'files' | 'folder'): Promise<string[]> {
  const { text } = texts()
  const options: OpenDialogOptions =
    kind === 'files'
      ? {
          title: text('common:choosePictures'),
          properties: ['openFile', 'multiSelections'],
          filters: [{ name: text('common:places.jobs'), extensions: PICTURES }],
        }
      : { title: text('common:chooseFolder'), properties: ['openDirectory', 'createDirectory', 'multiSelections'] }
  const begin = pickerFolders.of(kind)
  if (begin !== undefined) options.defaultPath = begin
  const owner = window()
  const { canceled, filePaths } = await (owner === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(owner, options))
  const [first] = filePaths
  if (canceled || first === undefined) return []
  // A folder is chosen beside the one before more often than inside it.
  pickerFolders.keep(kind, dirname(first))
  // A folder is recent once its preview was asked for: results are put into chosen folders too.
  if (kind === 'files') keepRecent(app, process.platform, filePaths)
  return filePaths
}

const NAME = 'pickers.json'

/** The dialogs that begin where one of their kind ended last. */
const PickerFolders = z.object({
  files: z.string().optional(),
  folder: z.string().optional(),
  save: z.string().optional(),
  picture: z.string().optional(),
})
export type PickerKind = keyof z.infer<typeof PickerFolders>

export interface PickerFolderFile {
  /** Where a dialog of this kind begins; undefined for where the system has it begin, as when the folder is gone. */
  of(kind: PickerKind): string | undefined
  /** What was not stored is only logged: a dialog is not worth an error. */
  keep(kind: PickerKind, folder: string): void
}

/** The folders that a person chose last, in the data folder: they are of this computer and this person alone. */
export function pickerFolderFile(dataDir: string, log: Logger): PickerFolderFile {
  const path = join(dataDir, NAME)
  const read = (): z.infer<typeof PickerFolders> => PickerFolders.safeParse(readOwnFile(path)).data ?? {}
  return {
    of(kind) {
      const folder = read()[kind]
      return folder !== undefined && isFolder(folder) ? folder : undefined
    },
    keep(kind, folder) {
      try {
        writeOwnFile(path, { ...read(), [kind]: folder })
      } catch (error) {
        log.warn('where a dialog was last could not be stored', { error: String(error) })
      }
    },
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
