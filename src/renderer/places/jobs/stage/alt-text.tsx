import { Check, PencilLine, RotateCcw, Trash2 } from 'lucide-react'
import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { MAX_ALT_TEXT_CHARS } from '../../../../shared/recipes/limits.ts'
import type { TextDraft, TextView } from '../../../../shared/contract/texts.ts'
import type { Saving } from '../../../store/text-keeper.ts'
import { errorText, sentenceIn } from '../../../store/error-text.ts'
import { countText } from '../../../text/figures.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { altLength } from '../../../text/alt-length.ts'
import { SeoName } from './seo-name.tsx'
import { useAltText, type AltTextField } from './use-alt-text.ts'

interface AltTextProps {
  jobId: string
  text: TextView
  drafts: readonly TextDraft[]
}

/** One language: the alt text in a field that saves itself, and the suggested file name. */
export function AltText({ jobId, text, drafts }: AltTextProps) {
  const { t } = useTranslation('detail')
  const id = useId()
  const { languageCode, original } = text
  const field = useAltText(jobId, text, drafts)
  const { value, isDraft } = field
  const language = useLanguageName(languageCode)
  return (
    <div className="alt-text">
      <div className="alt-text-head">
        <label htmlFor={id}>{language}</label>
        <Length value={value} languageCode={languageCode} />
        <SavingSign saving={field.saving} isDraft={isDraft} />
        <span className="alt-text-buttons">
          {original === null ? null : (
            <IconButton
              label={t(original === '' ? 'texts.remove' : 'texts.undo')}
              of={language}
              onClick={field.giveBack}
            >
              {original === '' ? <Trash2 size={14} aria-hidden /> : <RotateCcw size={14} aria-hidden />}
            </IconButton>
          )}
          <CopyButton text={value} name={t('texts.copyAlt')} of={language} />
        </span>
      </div>
      <textarea
        id={id}
        className={isDraft ? 'textarea draft' : 'textarea'}
        lang={languageCode}
        dir="auto"
        maxLength={MAX_ALT_TEXT_CHARS}
        rows={2}
        value={value}
        placeholder={t('texts.none')}
        aria-describedby={`${id}-said`}
        onChange={(event) => field.change(event.target.value)}
        onBlur={field.save}
        onKeyDown={field.onKeyDown}
      />
      <div id={`${id}-said`} className="alt-text-said">
        <AboutText text={text} field={field} />
      </div>
      <Earlier field={field} languageCode={languageCode} />
      <SeoName key={`${jobId} ${text.languageCode}`} jobId={jobId} text={text} language={language} />
    </div>
  )
}

/** Only where the length is worth a word. */
function Length({ value, languageCode }: { value: string; languageCode: string }) {
  const { t, i18n } = useTranslation('detail')
  const { length, limit, verdict } = altLength(value, languageCode)
  if (verdict !== 'long' && verdict !== 'short') return null
  return (
    <span className={verdict === 'long' ? 'caption figures held' : 'caption figures'}>
      {t('texts.count', { count: length, figure: countText(length, i18n.language) })},{' '}
      {t(`texts.length.${verdict}`, { figure: countText(limit, i18n.language) })}
    </span>
  )
}

/** Where the text comes from, and what became of saving it. */
function AboutText({ text: { languageCode, original, byRule }, field }: { text: TextView; field: AltTextField }) {
  const { t } = useTranslation(['detail', 'common'])
  const { saving } = field
  return (
    <>
      {field.isRestored ? (
        <div className="alt-text-other">
          <p className="caption">{t('texts.restored')}</p>
          <Button kind="quiet" onClick={field.save}>
            {t('common:save')}
          </Button>
          <Button kind="quiet" onClick={field.discard}>
            {t('texts.discard')}
          </Button>
        </div>
      ) : null}
      {saving.kind === 'unsent' ? <p className="caption held">{t('texts.unsent')}</p> : null}
      {saving.kind === 'late' ? (
        <p className="caption held">
          {saving.why === null ? t('texts.sidecarLatePlain') : t('texts.sidecarLate', { why: sentenceIn(saving.why) })}
        </p>
      ) : null}
      {saving.kind === 'failed' ? (
        <p className="caption failed" role="alert">
          {t('texts.notSaved', { message: errorText(saving.error) })}{' '}
          <Button kind="quiet" onClick={field.save}>
            {t('again')}
          </Button>
        </p>
      ) : null}
      {byRule === true ? <p className="caption">{t('texts.byRule')}</p> : null}
      {original === '' ? <p className="caption">{t('texts.own')}</p> : null}
      {original === null || original === '' ? null : (
        <p className="caption" lang={languageCode} dir="auto">
          {t('texts.serviceWords', { text: original })}
        </p>
      )}
    </>
  )
}

/** What a person wrote about another picture of this name. */
function Earlier({ field, languageCode }: { field: AltTextField; languageCode: string }) {
  const { t } = useTranslation('detail')
  const { earlier } = field
  if (earlier === null) return null
  return (
    <div className="alt-text-other">
      <p className="caption">
        {t('texts.earlier')}{' '}
        <bdi lang={languageCode} dir="auto">
          {straightText(earlier)}
        </bdi>
      </p>
      <Button kind="quiet" onClick={() => field.takeEarlier(earlier)}>
        {t('texts.take')}
      </Button>
      <Button kind="quiet" onClick={() => field.dropEarlier(earlier)}>
        {t('texts.discard')}
      </Button>
    </div>
  )
}

function SavingSign({ saving, isDraft }: { saving: Saving; isDraft: boolean }) {
  const { t } = useTranslation('detail')
  return (
    <span className={isDraft ? 'alt-text-sign caption draft' : 'alt-text-sign caption'} role="status">
      {isDraft ? (
        <>
          <PencilLine size={12} aria-hidden />
          {t('texts.draft')}
        </>
      ) : null}
      {saving.kind === 'saving' ? t('texts.saving') : null}
      {saving.kind === 'saved' || saving.kind === 'late' ? (
        <>
          <Check size={12} aria-hidden />
          {t('texts.saved')}
        </>
      ) : null}
    </span>
  )
}

/** The name of a language in the window's language, or its code. */
export function useLanguageName(code: string): string {
  const { i18n } = useTranslation()
  return useMemo(() => {
    try {
      return new Intl.DisplayNames(i18n.language, { type: 'language' }).of(code) ?? code
    } catch {
      return code
    }
  }, [code, i18n.language])
}
