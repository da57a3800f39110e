import { Check, RotateCcw, Trash2 } from 'lucide-react'
import { t } from 'i18next'
import { useId } from 'react'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { MAX_ALT_TEXT_CHARS } from '../../../../shared/recipes/limits.ts'
import type { TextView } from '../../../../shared/contract/texts.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { setText, useTypedText, type TextKey } from '../../../store/typed-texts.ts'
import { toastWithUndo } from '../../../store/toasts.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { languageName } from '../../../recipe/language-names.ts'
import { altLength } from '../../../text/alt-length.ts'
import { SavingNote, SeoName } from './seo-name.tsx'

interface AltTextProps {
  jobId: string
  text: TextView
  /** What a person wrote in this language about another picture of this name. */
  earlier: string | null
}

export function AltText({ jobId, text, earlier }: AltTextProps) {
  const id = useId()
  const { languageCode, original } = text
  const key: TextKey = { jobId, languageCode, of: 'altText' }
  const field = useTypedText(key, text.altText)
  const { value } = field
  const language = languageName(languageCode)
  return (
    <div className="alt-text stack tight">
      <div className="alt-text-head row single">
        <label htmlFor={id}>{language}</label>
        <Length value={value} languageCode={languageCode} />
        <SavingSign saving={field.saving} />
        <span className="alt-text-buttons">
          {original === null ? null : (
            <IconButton
              label={t(original === '' ? 'detail:texts.remove' : 'detail:texts.undo')}
              of={language}
              onClick={() =>
                setText(key, '', text.altText, t(original === '' ? 'detail:texts.removed' : 'detail:texts.givenBack'))
              }
            >
              {original === '' ? <Trash2 size={14} aria-hidden /> : <RotateCcw size={14} aria-hidden />}
            </IconButton>
          )}
          <CopyButton text={value} name={t('frame:shortcuts.copy')} of={language} />
        </span>
      </div>
      <textarea
        id={id}
        className="textarea"
        lang={languageCode}
        dir="auto"
        maxLength={MAX_ALT_TEXT_CHARS}
        rows={2}
        value={value}
        placeholder={t('detail:texts.none')}
        aria-describedby={`${id}-said`}
        onChange={(event) => field.type(event.target.value)}
        onBlur={field.save}
        onKeyDown={field.onKeyDown}
      />
      <div id={`${id}-said`} className="alt-text-said breaks">
        <SavingNote field={field} />
        <AboutText text={text} />
      </div>
      {earlier === null || earlier.trim() === value.trim() ? null : (
        <Earlier textKey={key} words={earlier} onTake={() => field.type(earlier)} />
      )}
      <SeoName key={`${jobId} ${text.languageCode}`} jobId={jobId} text={text} language={language} />
    </div>
  )
}

function Length({ value, languageCode }: { value: string; languageCode: string }) {
  const { length, limit, verdict } = altLength(value, languageCode)
  if (verdict !== 'long' && verdict !== 'short') return null
  return (
    <span className={verdict === 'long' ? 'caption figures is-held' : 'caption figures'}>
      {t('detail:texts.count', { count: length })}, {t(`detail:texts.length.${verdict}`, { count: limit })}
    </span>
  )
}

function AboutText({ text: { languageCode, original, byRule } }: { text: TextView }) {
  return (
    <>
      {byRule === true ? <p className="caption">{t('detail:texts.byRule')}</p> : null}
      {original === '' ? <p className="caption">{t('detail:texts.own')}</p> : null}
      {original === null || original === '' ? null : (
        <p className="caption" lang={languageCode} dir="auto">
          {t('detail:texts.serviceWords', { text: original })}
        </p>
      )}
    </>
  )
}

interface EarlierProps {
  textKey: TextKey
  words: string
  onTake: () => void
}

function Earlier({ textKey: { jobId: id, languageCode }, words, onTake }: EarlierProps) {
  const keep = (altText: string | null) => askOrToast('jobs.earlierText', { id, languageCode, altText })
  const drop = () =>
    inBackground(async () => {
      if ((await keep(null)) !== null) toastWithUndo(t('detail:texts.discarded'), () => keep(words))
    })
  return (
    <div className="alt-text-other row">
      <p className="caption">
        {t('detail:texts.earlier')}{' '}
        <bdi lang={languageCode} dir="auto">
          {straightText(words)}
        </bdi>
      </p>
      <Button kind="quiet" onClick={onTake}>
        {t('detail:texts.take')}
      </Button>
      <Button kind="quiet" onClick={drop}>
        {t('common:discard.leave')}
      </Button>
    </div>
  )
}

function SavingSign({ saving }: Pick<ReturnType<typeof useTypedText>, 'saving'>) {
  return (
    <span className="row single caption is-done" role="status">
      {saving?.kind === 'saving' ? t('detail:texts.saving') : null}
      {saving?.kind === 'saved' || saving?.kind === 'late' ? (
        <>
          <Check size={12} aria-hidden />
          {t('detail:texts.saved')}
        </>
      ) : null}
    </span>
  )
}
