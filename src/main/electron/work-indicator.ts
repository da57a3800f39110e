import type { App, BrowserWindow } from 'electron'
import type { HostStatus } from '../page/ui-host.ts'

interface WorkIndicatorDeps {
  app: Pick<App, 'setBadgeCount'>
  window: () => BrowserWindow | null
}

/** Electron's value for "no progress bar". */
const NO_PROGRESS = -1

/** Shows progress in the taskbar or Dock, and how many things need a person as a badge. */
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
