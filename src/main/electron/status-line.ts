import type { Texts } from '../ui/texts.ts'
import type { HostStatus } from '../ui/ui-host.ts'

/** What goes on, in a few words. */
export function statusLine({ text }: Pick<Texts, 'text'>, status: HostStatus): string {
  const { total, ended } = status.progress
  const work = total > ended ? text('tray.working', { ended, total }) : text('tray.idle')
  const parts = status.paused ? [text('tray.paused'), ...(total > ended ? [work] : [])] : [work]
  if (status.needsPerson > 0) parts.push(text('tray.needsPerson', { count: status.needsPerson }))
  return parts.join(' · ')
}
