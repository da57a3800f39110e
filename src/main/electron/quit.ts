import type { App } from 'electron'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'

/** Time for writing and releasing everything else. */
const LEEWAY_MS = 6000
/** Time for files that are still being read or written when all else has ended. */
const FILES_MS = 1000

interface QuitDeps {
  app: Pick<App, 'on' | 'exit'>
  log: Logger
  /** Stops everything within about this time; what is unfinished then is in the journal. */
  stop: (graceMs: number) => Promise<void>
  graceMs: number
  clock: Pick<Clock, 'setTimer'>
  onQuit: () => void
  isAtFiles: () => boolean
  kill: () => void
}

/**
 * Quitting waits until the engine has released the data folder, but at most `graceMs` plus 6 s: the next start would be handed over to a
 * program without a window. A second request does not wait. While a drive does not answer, Electron cannot exit and is killed.
 */
export function setupQuit(deps: QuitDeps): { readonly isQuitting: boolean } {
  const { app, log, stop, graceMs, clock, onQuit, isAtFiles, kill } = deps
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  const exit = (code: number): void => {
    state = 'stopped'
    app.exit(code)
  }
  const exitOrKill = (code: number): void => {
    if (!isAtFiles()) return exit(code)
    clock.setTimer(FILES_MS, () => {
      if (!isAtFiles()) return exit(code)
      log.error('files are still being read or written: the process is killed')
      kill()
    })
  }
  app.on('before-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') {
      log.warn('quit without waiting')
      return exitOrKill(0)
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
      exitOrKill(code)
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
