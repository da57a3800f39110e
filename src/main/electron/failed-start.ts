import type { App, Dialog } from 'electron'
import { toAppError } from '../../shared/sentences/errors.ts'
import type { Texts } from '../page/texts.ts'

/**
 * Says why Hangar cannot start, then ends with status 1. The box leaves the event loop running: a signal ends the program
 * while it is open.
 */
export async function sayFailedStart(
  { app, dialog, texts }: { app: Pick<App, 'exit'>; dialog: Pick<Dialog, 'showMessageBox'>; texts: Texts },
  error: unknown,
): Promise<void> {
  await dialog.showMessageBox({
    type: 'error',
    title: texts.text('dialog.cannotStart'),
    message: texts.text('dialog.cannotStart'),
    detail: texts.sentence(toAppError(error).sentence),
    buttons: [texts.text('dialog.close')],
    noLink: true,
  })
  app.exit(1)
}
