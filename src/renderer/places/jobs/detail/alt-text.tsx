import { Check, RotateCcw } from 'lucide-react'
import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TextView } from '../../../../shared/contract.ts'
import { ownText } from '../../../text/error-text.ts'
import { countText } from '../../../text/figures.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { useAltText, type Saving } from './use-alt-text.ts'

interface AltTextProps {
  jobId: string
  text: TextView
  onTexts: (texts: TextView[]) => void
}

/** One language: the alt text in a field that saves itself, and the file name that goes with it. */
export function AltText({ jobId, text, onTexts }: AltTextProps) {
  const { t, i18n } = useTranslation('detail')
  const id = useId()
  const { languageCode, seoFilename, original } = text
  const { value, saving, change, save, giveBack, onKeyDown } = useAltText(jobId, text, onTexts)
  const language = useLanguageName(languageCode)
  const length = [...value].length
  return (
    <div className="alt-text">
      <div className="alt-text-head">
        <label htmlFor={id}>{language}</label>
        <span className="caption figures">
          {t('texts.count', { count: length, figure: countText(length, i18n.language) })}
        </span>
        <SavingSign saving={saving} />
        <span className="alt-text-buttons">
          {original === null ? null : (
            <IconButton label={t('texts.undo')} onClick={giveBack}>
              <RotateCcw size={14} aria-hidden />
            </IconButton>
          )}
          <CopyButton text={value} name={t('texts.copyAlt')} />
        </span>
      </div>
      <textarea
        id={id}
        className="textarea"
        lang={languageCode}
        dir="auto"
        maxLength={10_000}
        rows={2}
        value={value}
        placeholder={t('texts.none')}
        aria-describedby={`${id}-said`}
        onChange={(event) => change(event.target.value)}
        onBlur={save}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-said`} className="alt-text-said">
        {saving.kind === 'late' ? (
          <p className="caption held">
            {saving.why === null
              ? t('texts.sidecarLatePlain')
              : t('texts.sidecarLate', { why: ownText(saving.why) ?? saving.why })}
          </p>
        ) : null}
        {saving.kind === 'failed' ? (
          <p className="caption failed" role="alert">
            {t('texts.notSaved', { message: saving.message })}{' '}
            <Button kind="quiet" onClick={save}>
              {t('again')}
            </Button>
          </p>
        ) : null}
        {original === null ? null : (
          <p className="caption" lang={languageCode} dir="auto">
            {t('texts.serviceWords', { text: original })}
          </p>
        )}
      </div>
      {seoFilename === '' ? null : (
        <div className="alt-text-name">
          <span className="caption">{t('texts.seoName')}</span>
          <bdi className="mono ellipsis" title={seoFilename}>
            {seoFilename}
          </bdi>
          <CopyButton text={seoFilename} name={t('texts.copyName')} />
        </div>
      )}
    </div>
  )
}

function SavingSign({ saving }: { saving: Saving }) {
  const { t } = useTranslation('detail')
  return (
    <span className="alt-text-sign caption" role="status">
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

/** The language as the window's language calls it; the code where it has no name. */
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
