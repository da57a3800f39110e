import type { App, BrowserWindow, PowerMonitor, PowerSaveBlocker } from 'electron'
import type { HostStatus } from '../page/ui-host.ts'
import type { Texts } from '../page/texts.ts'
import type { Logger } from '../../shared/runtime/ports.ts'

interface WorkIndicatorDeps {
  app: Pick<App, 'setBadgeCount'>
  window: () => BrowserWindow | null
}

/** No progress bar. */
const NO_PROGRESS = -1

/** Shows progress in the taskbar or Dock, and as a badge how many things need a person. */
export function createWorkIndicator({ app, window }: WorkIndicatorDeps): (status: HostStatus) => void {
  let badge = 0
  return (status) => {
    const { total, ended } = status.progress
    const working = total > ended
    window()?.setProgressBar(working ? ended / total : NO_PROGRESS, { mode: status.paused ? 'paused' : 'normal' })
    if (status.needsPerson === badge) return
    badge = status.needsPerson
    app.setBadgeCount(badge)
  }
}

/** Whether sleep would interrupt work: pictures are under way and not paused. */
export function isWorking({ paused, progress, counts }: HostStatus): boolean {
  const sent = counts.sending + counts.waiting + counts.fetching + counts.writing
  return sent > 0 || (!paused && progress.total > progress.ended && counts.ready > 0)
}

/** Everything that waits for a person is one number. */
export function statusLine({ text }: Pick<Texts, 'text'>, { progress, paused, away, needsPerson }: HostStatus): string {
  const { total, ended, done } = progress
  const parts = paused ? [text('common:paused')] : []
  if (ended < total) parts.push(text('common:ended', { ended, total }))
  else if (done > 0) parts.push(text('tray.done', { count: done }))
  if (away > 0) parts.push(text('tray.away', { count: away }))
  if (needsPerson > 0) parts.push(text('tray.needsPerson', { count: needsPerson }))
  return parts.length > 0 ? parts.join(' · ') : text('tray.idle')
}

interface PowerDeps {
  powerMonitor: PowerMonitor
  powerSaveBlocker: PowerSaveBlocker
  log: Logger
  onResume: () => void
  /** The machine shuts down, and waits until we quit (Linux, macOS). */
  onShutdown: () => void
}

interface Power {
  /** While working, the system does not suspend this program; the display may turn off. */
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
