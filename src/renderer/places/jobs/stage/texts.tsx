import { Check } from 'lucide-react'
import { useId } from 'react'
import { t } from 'i18next'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import { pictureMarkup } from '../../../../shared/presentation/markup.ts'
import { SHORTCUTS } from '../../../../shared/presentation/shortcuts.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { keysText } from '../../../parts/shortcut-keys.ts'
import { languageName } from '../../../recipe/language-names.ts'
import { markDecorative } from '../../../store/jobs-actions.ts'
import { AltText } from './alt-text.tsx'
import { Renames } from './files.tsx'
import { useStateOf } from '../../../parts/use-state-of.ts'
import './alt-text.css'

interface TextsProps {
  detail: JobDetail
  /** The language of the HTML to copy. */
  language: string
  onApprove: () => void
}

export function Texts({ detail, language, onApprove }: TextsProps) {
  const { row, texts, earlier, service } = detail
  const [decorative, mark] = useDecorative(detail)
  const means = useId()
  const name = languageName(language)
  // Named where there are several.
  const html = texts.length > 1 ? t('detail:markup.copyIn', { language: name }) : t('detail:markup.copy')
  const [key] = SHORTCUTS.onStage.approve
  return (
    <>
      <div className="stage-scroll stack loose">
        <div className="stage-part-head row">
          <h2>{t('detail:texts.title')}</h2>
          {service.practice ? <span className="caption">{t('detail:texts.practice')}</span> : null}
          <label className="stage-decorative">
            <input
              type="checkbox"
              data-decorative
              checked={decorative}
              aria-describedby={decorative ? means : undefined}
              onChange={({ target }) => mark(target.checked)}
            />
            {t('detail:texts.decorative')}
          </label>
        </div>
        {decorative ? (
          <p id={means} className="caption">
            {t('detail:texts.decorativeMeans')}
          </p>
        ) : null}
        {texts.map((text) => (
          <AltText
            key={text.languageCode}
            jobId={row.id}
            text={text}
            earlier={earlier.find(({ languageCode }) => languageCode === text.languageCode)?.altText ?? null}
          />
        ))}
        <Renames id={row.id} outputs={detail.outputs} />
      </div>
      <div className="stage-foot row">
        {row.review === 'needed' ? (
          <Button kind="primary" aria-keyshortcuts={key} onClick={onApprove}>
            <Check size={14} aria-hidden />
            {t('frame:shortcuts.approve')}
            <kbd aria-hidden>{keysText(key)}</kbd>
          </Button>
        ) : null}
        <CopyButton text={pictureMarkup(detail, language)} label={html} />
      </div>
    </>
  )
}

/** The mark as the person set it, until the engine confirms it. */
function useDecorative({ row: { id }, decorative: known }: JobDetail): [boolean, (decorative: boolean) => void] {
  const [wanted, setWanted] = useStateOf<boolean | null>(`${id} ${known}`, null)
  const mark = (decorative: boolean) => {
    setWanted(decorative)
    inBackground(async () => {
      if (!(await markDecorative(id, decorative))) setWanted(null)
    })
  }
  return [wanted ?? known, mark]
}
