import type { App, BrowserWindow } from 'electron'
import type { HostStatus } from '../page/ui-host.ts'
import type { Texts } from '../page/texts.ts'

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

/** The current work in a few words. Everything that waits for a person is one number. */
export function statusLine({ text }: Pick<Texts, 'text'>, { progress, paused, away, needsPerson }: HostStatus): string {
  const { total, ended, done } = progress
  const parts = paused ? [text('tray.paused')] : []
  if (ended < total) parts.push(text('tray.working', { ended, total }))
  else if (done > 0) parts.push(text('tray.done', { count: done }))
  if (away > 0) parts.push(text('tray.away', { count: away }))
  if (needsPerson > 0) parts.push(text('tray.needsPerson', { count: needsPerson }))
  return parts.length > 0 ? parts.join(' · ') : text('tray.idle')
}
