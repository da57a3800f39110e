import type { App, MenuItemConstructorOptions, NavigationHistory, WebContents } from 'electron'
import { externalLinks, type ExternalLink } from '../page/external-links.ts'
import type { Texts } from '../page/texts.ts'
import { placeKeys, PLACES, type PlaceName } from '../../shared/presentation/shortcuts.ts'
import process from 'node:process'
import { VERSION } from '../engine/version.ts'
import { resourcePath } from './page-address.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface MenuDeps {
  platform: NodeJS.Platform
  development: boolean
  texts: Texts
  open: (kind: 'files' | 'folder') => void
  /** Sends a shortcut to the page as if a person pressed it, such as `1` or `,` with Ctrl/Cmd. */
  pressInPage: (key: string) => void
  /** The page, to go back and forward in and to load again; null while there is no window. */
  page: () =>
    (Pick<WebContents, 'reload'> & { navigationHistory: Pick<NavigationHistory, 'goBack' | 'goForward'> }) | null
  setPaused: (paused: boolean) => void
  links: Partial<Record<ExternalLink, string>>
  openLink: (url: string) => void
  openLicences: () => void
}

const line: MenuItemConstructorOptions = { type: 'separator' }

/** `paused` decides the wording of one item. */
export function menuTemplate(deps: MenuDeps, paused: boolean): MenuItemConstructorOptions[] {
  const { texts, platform, links, openLink } = deps
  const text = (key: string): string => texts.text(key.includes(':') ? key : `menu.${key}`)
  const isMac = platform === 'darwin'
  const appMenu: MenuItemConstructorOptions = {
    label: text('app'),
    submenu: [
      ...standard(text, 'about'),
      line,
      showPlace(deps, text, 'settings'),
      line,
      ...standard(text, 'services'),
      line,
      ...standard(text, 'hide', 'hideOthers'),
      { role: 'unhide', label: text('showAll') },
      line,
      ...standard(text, 'quit'),
    ],
  }
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: text('help'),
    submenu: [
      ...Object.entries(links).map(([name, url]) => ({ label: text(name), click: () => openLink(url) })),
      { label: text('licences'), click: () => deps.openLicences() },
      ...(isMac ? [] : [line, ...standard(text, 'about')]),
    ],
  }
  return [
    ...(isMac ? [appMenu] : []),
    fileMenu(deps, text, paused),
    {
      label: text('edit'),
      submenu: [...standard(text, 'undo', 'redo'), line, ...standard(text, 'cut', 'copy', 'paste', 'selectAll')],
    },
    viewMenu(deps, text),
    { role: 'window', label: text('window'), submenu: standard(text, 'minimize', 'close') },
    help,
  ]
}

type Word = (key: string) => string

/** Items that the system handles, in our words. */
function standard(
  text: Word,
  ...roles: NonNullable<MenuItemConstructorOptions['role']>[]
): MenuItemConstructorOptions[] {
  return roles.map((role) => ({ role, label: text(role === 'undo' || role === 'copy' ? `common:${role}` : role) }))
}

/** The page handles this shortcut already; the menu shows it, and sends it when clicked. */
function showPlace(deps: MenuDeps, text: Word, place: PlaceName): MenuItemConstructorOptions {
  const key = placeKeys(place).replace('mod+', '')
  return {
    label: text(place === 'settings' ? place : `common:places.${place}`),
    accelerator: `CmdOrCtrl+${key}`,
    registerAccelerator: false,
    click: () => deps.pressInPage(key),
  }
}

function fileMenu(deps: MenuDeps, text: Word, paused: boolean): MenuItemConstructorOptions {
  const isMac = deps.platform === 'darwin'
  return {
    label: text('file'),
    submenu: [
      { label: text('open'), accelerator: 'CmdOrCtrl+O', click: () => deps.open('files') },
      { label: text('openFolder'), accelerator: 'CmdOrCtrl+Shift+O', click: () => deps.open('folder') },
      line,
      { label: text(paused ? 'common:resumeSending' : 'common:pauseSending'), click: () => deps.setPaused(!paused) },
      line,
      ...(isMac ? standard(text, 'close') : [showPlace(deps, text, 'settings'), line, ...standard(text, 'quit')]),
    ],
  }
}

function viewMenu(deps: MenuDeps, text: Word): MenuItemConstructorOptions {
  const development: MenuItemConstructorOptions[] = deps.development ? [line, { role: 'toggleDevTools' }] : []
  const [back, forward] = deps.platform === 'darwin' ? ['Cmd+[', 'Cmd+]'] : ['Alt+Left', 'Alt+Right']
  return {
    label: text('view'),
    submenu: [
      // The settings are in the app's or the file menu.
      ...PLACES.filter((place) => place !== 'settings').map((place) => showPlace(deps, text, place)),
      line,
      { label: text('back'), accelerator: back, click: () => deps.page()?.navigationHistory.goBack() },
      { label: text('forward'), accelerator: forward, click: () => deps.page()?.navigationHistory.goForward() },
      { label: text('reload'), accelerator: 'CmdOrCtrl+R', click: () => deps.page()?.reload() },
      line,
      ...zoom('zoomIn', text('zoomIn'), ['Plus', '=', 'numadd']),
      ...zoom('zoomOut', text('zoomOut'), ['-', 'numsub']),
      ...zoom('resetZoom', text('zoomReset'), ['0', 'num0']),
      line,
      { role: 'togglefullscreen', label: text('fullscreen') },
      ...development,
    ],
  }
}

/** The item shows its first key; the others, of other keyboards and of the keypad, work without being seen. */
function zoom(role: 'zoomIn' | 'zoomOut' | 'resetZoom', label: string, keys: string[]): MenuItemConstructorOptions[] {
  return keys.map((key, n) => ({ role, label, accelerator: `CmdOrCtrl+${key}`, visible: n === 0 }))
}

/** Electron's own About box would not tell the version. */
export function setupAbout(app: Pick<App, 'setAboutPanelOptions'>, { text }: Texts): void {
  const { documentation } = externalLinks()
  const { electron, chrome, node } = process.versions
  app.setAboutPanelOptions({
    applicationName: 'Hangar',
    applicationVersion: VERSION,
    version: `Electron ${electron}`,
    copyright: [
      'Copyright © The Hangar authors',
      text('about.licence'),
      '',
      `Electron ${electron}, Chromium ${chrome}, Node ${node}`,
    ].join('\n'),
    iconPath: resourcePath('icons', 'icon.png'),
    ...(documentation === undefined ? {} : { website: documentation }),
  })
}

/** Writes Hangar's licence and those of all that is bundled into one file that other programs can open, and returns its path. */
export function licenceFile(folder: string): string {
  const out = join(import.meta.dirname, '..')
  const parts = [resourcePath('..', 'LICENSE'), join(out, 'main/licenses.md'), join(out, 'renderer/licenses.md')]
  const path = join(folder, 'licences.txt')
  writeFileSync(path, parts.map((part) => readFileSync(part, 'utf8')).join('\n\n'))
  return path
}
