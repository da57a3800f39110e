import { useTranslation } from 'react-i18next'
import { useNow } from '../../../parts/use-now.ts'
import type { HistoryLine } from '../../../../shared/contract/jobs.ts'
import { type ReasonTexts, shortText } from '../../../../shared/sentences/reason-sentences.ts'
import { useReasonTexts } from '../../../text/use-reason-texts.ts'
import { exactTimeText, relativeText } from '../../../text/figures.ts'

const NOW_EVERY_MS = 30_000

/** What happened to the job, in sentences, newest first. */
export function History({ lines }: { lines: readonly HistoryLine[] }) {
  const { t, i18n } = useTranslation('detail')
  const texts = useReasonTexts()
  const nowMs = useNow(NOW_EVERY_MS)
  if (lines.length === 0) return null
  return (
    <section className="detail-part">
      <div className="detail-part-head">
        <h3>{t('history')}</h3>
      </div>
      <ol className="history">
        {lines.toReversed().map(({ atMs, event, reason }, n) => (
          <li key={lines.length - n}>
            <time
              className="caption figures"
              dateTime={new Date(atMs).toISOString()}
              title={exactTimeText(atMs, i18n.language)}
            >
              {relativeText(Math.min(atMs, nowMs), nowMs, i18n.language)}
            </time>
            <span>
              {eventText(texts, event)}
              {reason === null ? null : <span className="secondary"> {shortText(texts, reason)}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A later version may have recorded events that this one does not know. */
function eventText({ event: words }: ReasonTexts, event: string): string {
  return Object.hasOwn(words, event) ? words[event as keyof typeof words] : event
}
