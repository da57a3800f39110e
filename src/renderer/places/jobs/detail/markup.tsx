import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { imgMarkup, leftOutOfMarkup, pictureMarkup } from '../../../../shared/presentation/markup.ts'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { useLanguageName } from './alt-text.tsx'

/** The picture as HTML to paste into a page. */
export function Markup({ detail }: { detail: JobDetail }) {
  const { t } = useTranslation('detail')
  const codes = detail.texts.map(({ languageCode }) => languageCode)
  const [chosen, setChosen] = useState<string | null>(null)
  const language = chosen !== null && codes.includes(chosen) ? chosen : (codes[0] ?? '')
  const picture = pictureMarkup(detail, language)
  const image = imgMarkup(detail, language)
  const leftOut = leftOutOfMarkup(detail)
  return (
    <section className="detail-part">
      <div className="detail-part-head">
        <h3>{t('markup.title')}</h3>
        {codes.length > 1 ? (
          <select
            className="select detail-language"
            aria-label={t('markup.language')}
            value={language}
            onChange={(event) => setChosen(event.target.value)}
          >
            {codes.map((code) => (
              <LanguageOption key={code} code={code} />
            ))}
          </select>
        ) : null}
      </div>
      <pre className="markup mono" aria-label={t('markup.code')} tabIndex={0}>
        {picture}
      </pre>
      {leftOut === null ? null : <p className="caption">{t('markup.leftOut', { type: leftOut.type.toUpperCase() })}</p>}
      <div className="detail-buttons">
        {picture !== image ? <CopyButton text={picture} label={t('markup.picture')} /> : null}
        <CopyButton text={image} label={t('markup.img')} />
      </div>
    </section>
  )
}

function LanguageOption({ code }: { code: string }) {
  return <option value={code}>{useLanguageName(code)}</option>
}
