import type { App, BrowserWindow, Dialog } from 'electron'
import type { Background } from '../../shared/background.ts'
import type { Texts } from '../page/texts.ts'

interface RecoverPageDeps {
  app: Pick<App, 'quit'>
  dialog: Pick<Dialog, 'showMessageBox'>
  texts: () => Texts
  nowMs: () => number
  background: Background
}

/**
 * Loads a page that crashed again. When it keeps crashing the person is asked; the engine goes on meanwhile, whatever
 * becomes of its window.
 */
export function recoverPage({
  app,
  dialog,
  texts,
  nowMs,
  background,
}: RecoverPageDeps): (window: BrowserWindow) => void {
  const mayReload = createReloadLimit()
  return (window) => {
    if (mayReload(nowMs())) return window.webContents.reload()
    const { text } = texts()
    const options = {
      type: 'error' as const,
      message: text('dialog.pageFailed'),
      detail: text('dialog.pageFailedDetail'),
      buttons: [text('menu.reload'), text('menu.quit')],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    }
    background.run('page_recover', async () => {
      const { response } = await dialog.showMessageBox(window, options)
      if (response === 1) app.quit()
      else if (!window.isDestroyed()) window.webContents.reload()
    })
  }
}

const MINUTE = 60_000
const RELOADS_A_MINUTE = 3

/** A page that crashed is loaded again, but not for ever: says whether it may be now, and remembers that it was. */
export function createReloadLimit(): (nowMs: number) => boolean {
  let reloadsMs: number[] = []
  return (nowMs) => {
    reloadsMs = reloadsMs.filter((atMs) => nowMs - atMs < MINUTE && atMs <= nowMs)
    if (reloadsMs.length >= RELOADS_A_MINUTE) return false
    reloadsMs.push(nowMs)
    return true
  }
}
