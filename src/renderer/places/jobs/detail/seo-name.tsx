import { RotateCcw } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TextView } from '../../../../shared/contract/texts.ts'
import { MAX_NAME_CHARS } from '../../../../shared/text-limits.ts'
import { inBackground } from '../../../store/in-background.ts'
import { nameFile } from '../../../store/jobs-actions.ts'
import { IconButton } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'

/** The suggested file name of one language: saved when the field is left or with Enter; Escape gives back what was there. */
export function SeoName({
  jobId,
  text: { languageCode, seoFilename, originalName },
}: {
  jobId: string
  text: TextView
}) {
  const { t } = useTranslation('detail')
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  // Enter and leaving the field after it are one save.
  const sent = useRef<string | null>(null)
  // What was typed stays until the saved name is here.
  useEffect(() => {
    setTyped(null)
    sent.current = null
  }, [jobId, seoFilename])
  const value = typed ?? seoFilename
  const save = (name: string) => {
    if (name.trim() === seoFilename) return setTyped(null)
    if (name === sent.current) return
    sent.current = name
    inBackground('seo-name.save', async () => {
      if (!(await nameFile({ id: jobId, languageCode, seoFilename: name }, seoFilename))) sent.current = null
    })
  }
  if (seoFilename === '' && originalName === null && typed === null) return null
  return (
    <div className="alt-text-name">
      <label className="caption" htmlFor={id}>
        {t('texts.seoName')}
      </label>
      <input
        id={id}
        className="input mono"
        dir="auto"
        spellCheck={false}
        autoComplete="off"
        maxLength={MAX_NAME_CHARS}
        value={value}
        aria-describedby={originalName === null ? undefined : `${id}-said`}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => typed !== null && save(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && typed !== null) save(typed)
          if (event.key !== 'Escape' || typed === null) return
          event.stopPropagation()
          setTyped(null)
        }}
      />
      {originalName === null ? null : (
        <IconButton label={t('texts.undoName')} onClick={() => save('')}>
          <RotateCcw size={14} aria-hidden />
        </IconButton>
      )}
      <CopyButton text={value} name={t('texts.copyName')} />
      {originalName === null ? null : (
        <p id={`${id}-said`} className="caption">
          {t('texts.nameMeans', { text: originalName })}
        </p>
      )}
    </div>
  )
}
