import type { App, BrowserWindow, Dialog } from 'electron'
import type { Background } from '../../shared/runtime/background.ts'
import type { Texts } from '../page/texts.ts'
import process from 'node:process'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { Logger } from '../../shared/runtime/ports.ts'
import { toAppError } from '../../shared/sentences/errors.ts'

interface RecoverPageDeps {
  app: Pick<App, 'quit'>
  dialog: Pick<Dialog, 'showMessageBox'>
  texts: () => Texts
  nowMs: () => number
  /** Null while the engine starts. */
  background: () => Background | null
}

/** Reloads a page that crashed. When it keeps crashing, the person is asked. The engine goes on meanwhile. */
export function recoverPage({ app, dialog, texts, nowMs, background }: RecoverPageDeps) {
  const mayReload = createReloadLimit()
  return (window: BrowserWindow) => {
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

const MINUTE_MS = 60_000
const MAX_RELOADS_PER_MINUTE = 3

/** Whether a crashed page may be reloaded now; counts it as reloaded. */
export function createReloadLimit(): (nowMs: number) => boolean {
  let reloadsMs: number[] = []
  return (nowMs) => {
    reloadsMs = reloadsMs.filter((atMs) => nowMs - atMs < MINUTE_MS && atMs <= nowMs)
    if (reloadsMs.length >= MAX_RELOADS_PER_MINUTE) return false
    reloadsMs.push(nowMs)
    return true
  }
}

interface UnexpectedErrorsDeps {
  app: Pick<App, 'exit'>
  dialog: Pick<Dialog, 'showErrorBox'>
  log: Logger
  texts: () => Texts
  /** The app runs and reports background failures itself. */
  isRunning: () => boolean
}

/**
 * An uncaught exception ends the program at once; Electron's default is to go on in an unknown state. An unhandled
 * rejection ends it only before the app runs; later the window tells of it.
 */
export function setupUnexpectedErrors({ app, dialog, log, texts, isRunning }: UnexpectedErrorsDeps): void {
  let ended = false
  const end = (error: unknown): void => {
    if (ended) return
    ended = true
    log.error('an unexpected error', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    const { text } = texts()
    dialog.showErrorBox(text('dialog.crashed'), text('dialog.crashedDetail'))
    app.exit(ExitCode.internal)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', (error) => {
    if (!isRunning()) end(error)
  })
}

/** Ends with 1 after a box that says why. The box leaves the event loop running, so a signal ends the program while it is open. */
export async function sayFailedStart(
  { app, dialog, texts }: { app: Pick<App, 'exit'>; dialog: Pick<Dialog, 'showMessageBox'>; texts: Texts },
  error: unknown,
): Promise<void> {
  await dialog.showMessageBox({
    type: 'error',
    title: texts.text('dialog.cannotStart'),
    message: texts.text('dialog.cannotStart'),
    detail: texts.sentence(toAppError(error).sentence),
    buttons: [texts.text('common:close')],
    noLink: true,
  })
  app.exit(1)
}
