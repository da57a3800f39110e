import process from 'node:process'
import type { App, Dialog } from 'electron'
import { ExitCode } from '../../shared/exit-codes.ts'
import type { Logger } from '../../shared/ports.ts'
import type { Texts } from '../ui/texts.ts'

export interface UnexpectedErrorsDeps {
  app: Pick<App, 'exit'>
  dialog: Pick<Dialog, 'showErrorBox'>
  log: Logger
  texts: () => Texts
}

/**
 * A mistake of ours ends the program at once, said and logged, rather than going on in a state that nobody thought of
 * (Electron's own way). The journal is made for being cut off at any moment.
 */
export function setupUnexpectedErrors({ app, dialog, log, texts }: UnexpectedErrorsDeps): void {
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
  process.on('unhandledRejection', end)
}
