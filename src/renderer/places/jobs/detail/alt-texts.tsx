import { useTranslation } from 'react-i18next'
import type { JobDetail } from '../../../../shared/ui-contract.ts'
import { inBackground } from '../../../store/in-background.ts'
import { reviewJobs } from '../../../store/jobs-actions.ts'
import { AltText } from './alt-text.tsx'

/** The texts, one for each language, to be read, put right and ticked off. */
export function AltTexts({ detail }: { detail: JobDetail }) {
  const { t } = useTranslation('detail')
  const { row, texts, drafts, service } = detail
  return (
    <section className="detail-part">
      <div className="detail-part-head">
        <h3>{t('texts.title')}</h3>
        {service.practice ? <span className="caption">{t('texts.practice')}</span> : null}
        {row.review === 'none' ? null : (
          <label className="detail-review">
            <input
              type="checkbox"
              checked={row.review === 'reviewed'}
              onChange={(event) =>
                inBackground('alt-texts.reviewJobs', () => reviewJobs([row.id], event.target.checked))
              }
            />
            {t('texts.reviewed')}
          </label>
        )}
      </div>
      {texts.map((text) => (
        <AltText key={text.languageCode} jobId={row.id} text={text} drafts={drafts} />
      ))}
    </section>
  )
}
