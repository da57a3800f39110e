import type { App } from 'electron'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'

/** Time for writing and releasing everything else. */
const LEEWAY_MS = 6000

interface QuitDeps {
  app: Pick<App, 'on' | 'exit'>
  log: Logger
  /** Stops everything within about this time; what is unfinished then is in the journal. */
  stop: (graceMs: number) => Promise<void>
  graceMs: number
  clock: Pick<Clock, 'setTimer'>
  /** Quitting begins: windows should be hidden. */
  onQuit: () => void
}

/**
 * Quitting waits until the engine has journalled its state and released the data folder, but at most `graceMs` plus 6
 * s: a program without a window must not hang. A second request does not wait at all. What was being sent is then
 * unknown, as the journal records.
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
