import type { PowerMonitor, PowerSaveBlocker } from 'electron'
import type { Logger } from '../../shared/runtime/ports.ts'

interface PowerDeps {
  powerMonitor: PowerMonitor
  powerSaveBlocker: PowerSaveBlocker
  log: Logger
  /** The machine woke up. */
  onResume: () => void
  /** The machine shuts down (Linux, macOS): it waits until we quit. */
  onShutdown: () => void
}

interface Power {
  /** While work is under way, the system does not suspend this program; the display may turn off. */
  setWorking(working: boolean): void
}

export function setupPower({ powerMonitor, powerSaveBlocker, log, onResume, onShutdown }: PowerDeps): Power {
  powerMonitor.on('suspend', () => log.info('the computer goes to sleep'))
  powerMonitor.on('resume', () => {
    log.info('the computer woke up')
    onResume()
  })
  // The type declaration lacks the event that the documentation names.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    onShutdown()
  })
  let blocker: number | null = null
  return {
    setWorking(working) {
      if (working && blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension')
      if (!working && blocker !== null) {
        powerSaveBlocker.stop(blocker)
        blocker = null
      }
    },
  }
}
