import process from 'node:process'
import type { App, Dialog } from 'electron'
import { ExitCode } from '../../shared/exit-codes.ts'
import type { Logger } from '../../shared/ports.ts'
import type { Texts } from '../page/texts.ts'

interface UnexpectedErrorsDeps {
  app: Pick<App, 'exit'>
  dialog: Pick<Dialog, 'showErrorBox'>
  log: Logger
  texts: () => Texts
  /** The app runs and says itself what fails in the background. */
  isRunning: () => boolean
}

/**
 * An exception that nobody caught ends the program at once, said and logged, rather than going on in a state that nobody
 * thought of (Electron's own way). The journal is made for being cut off at any moment. A promise that nobody awaited ends it
 * only before the app runs; from then on the window says that something unexpected happened.
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
