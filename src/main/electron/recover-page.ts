import type { App, BrowserWindow, Dialog } from 'electron'
import type { Background } from '../../shared/runtime/background.ts'
import type { Texts } from '../page/texts.ts'

interface RecoverPageDeps {
  app: Pick<App, 'quit'>
  dialog: Pick<Dialog, 'showMessageBox'>
  texts: () => Texts
  nowMs: () => number
  /** Null while the engine starts. */
  background: () => Background | null
}

/**
 * Reloads a page that crashed. When it keeps crashing, the person is asked; the engine continues meanwhile, whatever
 * happens to its window.
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
    background()?.run('page_recover', async () => {
      const { response } = await dialog.showMessageBox(window, options)
      if (response === 1) app.quit()
      else if (!window.isDestroyed()) window.webContents.reload()
    })
  }
}

const MINUTE = 60_000
const RELOADS_A_MINUTE = 3

/** Whether a crashed page may be reloaded now. Records the attempt: it is not reloaded for ever. */
export function createReloadLimit(): (nowMs: number) => boolean {
  let reloadsMs: number[] = []
  return (nowMs) => {
    reloadsMs = reloadsMs.filter((atMs) => nowMs - atMs < MINUTE && atMs <= nowMs)
    if (reloadsMs.length >= RELOADS_A_MINUTE) return false
    reloadsMs.push(nowMs)
    return true
  }
}
