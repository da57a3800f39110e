import type { Texts } from '../page/texts.ts'
import type { HostStatus } from '../page/ui-host.ts'

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
