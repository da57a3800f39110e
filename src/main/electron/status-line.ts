import { progressFacts } from '../../shared/presentation/progress-facts.ts'
import type { Texts } from '../page/texts.ts'
import type { HostStatus } from '../page/ui-host.ts'

/** The current work in a few words. Everything that waits for a person is one number. */
export function statusLine({ text }: Pick<Texts, 'text'>, status: HostStatus): string {
  const parts = progressFacts(status).flatMap((fact) => {
    if (fact.code === 'paused') return [text('tray.paused')]
    if (fact.code === 'working') return [text('tray.working', { ended: fact.ended, total: fact.total })]
    if (fact.code === 'done' || fact.code === 'away') return [text(`tray.${fact.code}`, { count: fact.count })]
    return []
  })
  if (status.needsPerson > 0) parts.push(text('tray.needsPerson', { count: status.needsPerson }))
  return parts.length > 0 ? parts.join(' · ') : text('tray.idle')
}
