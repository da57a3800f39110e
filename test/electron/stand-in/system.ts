import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type {
  Dialog,
  MenuItemConstructorOptions,
  NativeTheme,
  NotificationConstructorOptions,
  PowerMonitor,
  PowerSaveBlocker,
  Screen,
  Shell,
  Tray as RealTray,
} from 'electron'
import { record } from './record.ts'

/** The parts of the system that a test plays: it reads what was asked of them, and emits what they would. */

export class Menu {
  static applicationMenu: Menu | null = null
  readonly template: MenuItemConstructorOptions[]

  constructor(template: MenuItemConstructorOptions[]) {
    this.template = template
  }

  static buildFromTemplate(template: MenuItemConstructorOptions[]): Menu {
    return new Menu(template)
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.applicationMenu = menu
    record('Menu.setApplicationMenu', menu?.template)
  }

  popup(): void {
    record('menu.popup', this.template)
  }

  /** Clicks the item with these labels, one below the other. */
  click(labels: readonly string[]): void {
    let items = this.template
    for (const [depth, label] of labels.entries()) {
      const item = items.find((candidate) => candidate.label === label)
      if (item === undefined) throw new Error(`no item ${label} among ${items.map((entry) => entry.label).join(', ')}`)
      if (depth === labels.length - 1) return item.click?.(undefined as never, undefined, {})
      items = item.submenu as MenuItemConstructorOptions[]
    }
  }
}

export class Tray extends EventEmitter implements Pick<RealTray, 'setToolTip'> {
  static current: Tray | null = null
  menu: Menu | null = null

  constructor(image: { path: string }) {
    super()
    if (process.env['STAND_IN_TRAY'] === 'none') throw new Error('Failed to create a tray')
    record('new Tray', image.path)
    Tray.current = this
  }

  setToolTip(toolTip: string): void {
    record('tray.setToolTip', toolTip)
  }

  setContextMenu(menu: Menu | null): void {
    this.menu = menu
    record('tray.setContextMenu', menu?.template)
  }
}

export class Notification extends EventEmitter {
  static shown: Notification[] = []
  readonly options: NotificationConstructorOptions

  constructor(options: NotificationConstructorOptions = {}) {
    super()
    this.options = options
  }

  static isSupported(): boolean {
    return true
  }

  show(): void {
    Notification.shown.push(this)
    record('notification', this.options)
  }
}

export const nativeImage = {
  createFromPath(path: string): { path: string } {
    if (!existsSync(path)) throw new Error(`no image at ${path}`)
    return { path }
  },
}

class StandInTheme extends EventEmitter implements Pick<NativeTheme, 'themeSource' | 'shouldUseDarkColors'> {
  #source: NativeTheme['themeSource'] = 'system'

  get themeSource(): NativeTheme['themeSource'] {
    return this.#source
  }

  set themeSource(source: NativeTheme['themeSource']) {
    this.#source = source
    record('nativeTheme.themeSource', source)
    this.emit('updated')
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark'
  }
}
export const nativeTheme = new StandInTheme()

const display = { id: 1, workArea: { x: 0, y: 0, width: 1600, height: 900 } } as Electron.Display
export const screen = {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
} satisfies Pick<Screen, 'getPrimaryDisplay' | 'getAllDisplays'>

export const powerMonitor = new EventEmitter() satisfies Pick<PowerMonitor, 'emit'>

let blockers = 0
export const powerSaveBlocker = {
  start(type: Parameters<PowerSaveBlocker['start']>[0]): number {
    blockers += 1
    record('powerSaveBlocker.start', type)
    return blockers
  },
  stop(id: number): boolean {
    record('powerSaveBlocker.stop', id)
    return true
  },
} satisfies Pick<PowerSaveBlocker, 'start' | 'stop'>

/** What the person answers next: paths for a file dialog, the number of a button for a message. */
export const answers: { paths: string[]; button: number } = { paths: [], button: 0 }

export const dialog = {
  async showOpenDialog(...args: unknown[]) {
    record('dialog.showOpenDialog', args.at(-1))
    return { canceled: answers.paths.length === 0, filePaths: answers.paths }
  },
  async showMessageBox(...args: unknown[]) {
    record('dialog.showMessageBox', args.at(-1))
    return { response: answers.button, checkboxChecked: false }
  },
  showErrorBox(title: string, content: string): void {
    record('dialog.showErrorBox', title, content)
  },
} satisfies Pick<Dialog, 'showErrorBox'> & Record<'showOpenDialog' | 'showMessageBox', unknown>

export const shell = {
  async openExternal(url: string): Promise<void> {
    record('shell.openExternal', url)
  },
  showItemInFolder(path: string): void {
    record('shell.showItemInFolder', path)
  },
} satisfies Pick<Shell, 'openExternal' | 'showItemInFolder'>
