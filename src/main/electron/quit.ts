import type { App } from 'electron'
import type { Logger } from '../../shared/ports.ts'

export interface QuitDeps {
  app: Pick<App, 'on' | 'exit'>
  log: Logger
  /** Brings everything to an end within about this time; whatever is not over then is in the journal. */
  stop: (graceMs: number) => Promise<void>
  graceMs: number
  /** Quitting begins: whatever shows should go. */
  onQuit: () => void
}

/**
 * Quitting waits until the engine has journalled and let the data folder go. Asked a second time, it does not wait: what
 * was being sent is then in doubt, which the journal already says.
 */
export function setupQuit({ app, log, stop, graceMs, onQuit }: QuitDeps): { readonly isQuitting: boolean } {
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  app.on('before-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') {
      log.warn('quit without waiting')
      return app.exit(0)
    }
    state = 'stopping'
    onQuit()
    const ended = (code: number): void => {
      state = 'stopped'
      app.exit(code)
    }
    stop(graceMs).then(
      () => ended(0),
      (error: unknown) => {
        log.error('stopping failed', { error: String(error) })
        ended(1)
      },
    )
  })
  return {
    get isQuitting() {
      return state !== 'running'
    },
  }
}
