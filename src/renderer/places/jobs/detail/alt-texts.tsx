import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { markDecorative, reviewJobs } from '../../../store/jobs-actions.ts'
import { AltText } from './alt-text.tsx'
import { useStateOf } from '../../../parts/use-state-of.ts'
import './detail.css'
import './alt-text.css'

/** The texts by language, to read, correct and mark as reviewed. */
export function AltTexts({ detail }: { detail: JobDetail }) {
  const { t } = useTranslation('detail')
  const { row, texts, drafts, service } = detail
  const [decorative, mark] = useDecorative(detail)
  const means = useId()
  return (
    <section className="detail-part">
      <div className="detail-part-head">
        <h3>{t('texts.title')}</h3>
        {service.practice ? <span className="caption">{t('texts.practice')}</span> : null}
        <div className="detail-checks">
          <label className="detail-review">
            <input
              type="checkbox"
              data-decorative
              checked={decorative}
              aria-describedby={decorative ? means : undefined}
              onChange={({ target }) => mark(target.checked)}
            />
            {t('texts.decorative')}
          </label>
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
      </div>
      {decorative ? (
        <p id={means} className="caption">
          {t('texts.decorativeMeans')}
        </p>
      ) : null}
      {texts.map((text) => (
        <AltText key={text.languageCode} jobId={row.id} text={text} drafts={drafts} />
      ))}
    </section>
  )
}

/** The mark as the person set it, until the engine confirms it. */
function useDecorative({ row: { id }, decorative: known }: JobDetail): [boolean, (decorative: boolean) => void] {
  const [wanted, setWanted] = useStateOf<boolean | null>(`${id} ${known}`, null)
  const mark = (decorative: boolean) => {
    setWanted(decorative)
    inBackground('alt-texts.markDecorative', async () => {
      if (!(await markDecorative(id, decorative))) setWanted(null)
    })
  }
  return [wanted ?? known, mark]
}
