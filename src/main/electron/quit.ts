import type { App } from 'electron'
import type { Clock, Logger } from '../../shared/ports.ts'

/** Time to write and release everything else. */
const LEEWAY_MS = 6000

interface QuitDeps {
  app: Pick<App, 'on' | 'exit'>
  log: Logger
  /** Brings everything to an end within about this time; whatever is not over then is in the journal. */
  stop: (graceMs: number) => Promise<void>
  graceMs: number
  clock: Pick<Clock, 'setTimer'>
  /** Quitting begins: whatever shows should go. */
  onQuit: () => void
}

/**
 * Quitting waits until the engine has journalled and let the data folder go, but no longer than `graceMs` and 6 s more: what
 * nobody can see any longer must not hang. Asked a second time, it does not wait either. What was being sent is then in
 * doubt, which the journal already says.
 */
export function setupQuit({ app, log, stop, graceMs, clock, onQuit }: QuitDeps): { readonly isQuitting: boolean } {
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
    const cancel = clock.setTimer(graceMs + LEEWAY_MS, () => {
      log.error('stopping took too long and was cut short')
      ended(1)
    })
    const ended = (code: number): void => {
      if (state === 'stopped') return
      cancel()
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
