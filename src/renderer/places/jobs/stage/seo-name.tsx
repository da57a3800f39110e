import { RotateCcw } from 'lucide-react'
import { useId } from 'react'
import { t } from 'i18next'
import type { TextView } from '../../../../shared/contract/texts.ts'
import { MAX_NAME_CHARS } from '../../../../shared/recipes/limits.ts'
import { errorText, sentenceIn } from '../../../store/error-text.ts'
import { setText, useTypedText, type TextKey } from '../../../store/typed-texts.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'

export function SeoName({ jobId, text, language }: { jobId: string; text: TextView; language: string }) {
  const { languageCode, seoFilename, originalName } = text
  const id = useId()
  const key: TextKey = { jobId, languageCode, of: 'seoFilename' }
  const field = useTypedText(key, seoFilename)
  if (seoFilename === '' && originalName === null && field.value === '') return null
  return (
    <div className="alt-text-name row" role="group" aria-label={language}>
      <label className="caption" htmlFor={id}>
        {t('detail:texts.seoName')}
      </label>
      <input
        id={id}
        className="input mono"
        dir="auto"
        spellCheck={false}
        autoComplete="off"
        maxLength={MAX_NAME_CHARS}
        value={field.value}
        aria-invalid={field.saving?.kind === 'failed'}
        aria-describedby={`${id}-said`}
        onChange={({ target }) => field.type(target.value)}
        onBlur={field.save}
        onKeyDown={field.onKeyDown}
      />
      {originalName === null ? null : (
        <IconButton
          label={t(originalName === '' ? 'detail:texts.removeName' : 'detail:texts.undoName')}
          onClick={() => setText(key, '', seoFilename)}
        >
          <RotateCcw size={14} aria-hidden />
        </IconButton>
      )}
      <CopyButton text={field.value} name={t('detail:texts.copyName')} />
      <div id={`${id}-said`} className="alt-text-said breaks">
        <SavingNote field={field} />
        {originalName === null || originalName === '' ? null : (
          <p className="caption">{t('detail:texts.nameMeans', { text: originalName })}</p>
        )}
      </div>
    </div>
  )
}

/** What keeps a typed text from being where it belongs. */
export function SavingNote({ field: { saving, save } }: { field: ReturnType<typeof useTypedText> }) {
  if (saving?.kind === 'unsent') return <p className="caption is-held">{t('detail:texts.unsent')}</p>
  if (saving?.kind === 'late')
    return (
      <p className="caption is-held">
        {saving.why === null
          ? t('detail:texts.sidecarLatePlain')
          : t('detail:texts.sidecarLate', { why: sentenceIn(saving.why) })}
      </p>
    )
  if (saving?.kind !== 'failed') return null
  return (
    <p className="caption is-failed" role="alert">
      {t('detail:texts.notSaved', { message: errorText(saving.error) })}{' '}
      <Button kind="quiet" onClick={save}>
        {t('common:retry')}
      </Button>
    </p>
  )
}
