import { RotateCcw } from 'lucide-react'
import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { TextView } from '../../../../shared/contract/texts.ts'
import { MAX_NAME_CHARS } from '../../../../shared/recipes/limits.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { nameFile } from '../../../store/jobs-actions.ts'
import { connection } from '../../../bridge/connect.ts'
import { isSameText, useEdited } from '../../../store/use-edited.ts'
import { IconButton } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { FieldError } from '../../../parts/field.tsx'
import { toast } from '../../../store/toasts.ts'

/** The suggested file name of one language; Escape gives back what was there. */
export function SeoName({ jobId, text, language }: { jobId: string; text: TextView; language: string }) {
  const { seoFilename, originalName } = text
  const { t } = useTranslation('detail')
  const id = useId()
  const { edited, isTyped, problem, type, save } = useTypedName(jobId, text)
  const value = edited.draft
  if (seoFilename === '' && originalName === null && !isTyped) return null
  const describedBy = [
    originalName === null || originalName === '' ? '' : `${id}-said`,
    problem === null ? '' : `${id}-error`,
  ]
    .join(' ')
    .trim()
  return (
    <div className="alt-text-name" role="group" aria-label={language}>
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
        aria-invalid={problem !== null}
        aria-describedby={describedBy === '' ? undefined : describedBy}
        onChange={({ target }) => type(target.value)}
        onBlur={() => isTyped && save(value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && isTyped) save(value)
          if (event.key !== 'Escape' || !isTyped) return
          event.stopPropagation()
          type(edited.base)
        }}
      />
      {originalName === null ? null : (
        <IconButton label={t(originalName === '' ? 'texts.removeName' : 'texts.undoName')} onClick={() => save('')}>
          <RotateCcw size={14} aria-hidden />
        </IconButton>
      )}
      <CopyButton text={value} name={t('texts.copyName')} />
      {originalName === null || originalName === '' ? null : (
        <p id={`${id}-said`} className="caption">
          {t('texts.nameMeans', { text: originalName })}
        </p>
      )}
      <FieldError id={`${id}-error`} text={problem} />
    </div>
  )
}

/** What is typed, saved with Enter and when the field is left, whichever way: also as the field or the page closes. */
function useTypedName(jobId: string, { languageCode, seoFilename, originalName }: TextView) {
  const edited = useEdited(seoFilename, isSameText)
  const [problem, setProblem] = useState<string | null>(null)
  const isShown = useIsShown()
  const isTyped = edited.isChanged
  const send = async (name: string, before: string) => {
    const why = await nameFile({ id: jobId, languageCode, seoFilename: name }, before)
    if (why !== null && !isShown.current) toast(why, { bad: true })
    setProblem(why)
    return why === null
  }
  const save = (typed: string) => {
    // Instead of none it has the suggested one again.
    const name = typed.trim() === '' ? (originalName ?? seoFilename) : typed
    edited.set(name)
    // Enter and leaving the field after it are one save.
    if (!isSameText(name, edited.base))
      inBackground('seo-name.save', () => edited.store(name, () => send(name, edited.base)))
  }
  // A name that was refused is not sent again just because the field closes.
  useSavedOnLeave(isTyped && problem === null, () => save(edited.draft))
  const type = (name: string) => {
    edited.set(name)
    setProblem(null)
  }
  return { edited, isTyped, problem, type, save }
}

function useIsShown(): RefObject<boolean> {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}

/** Saves what is typed when the field unmounts, and when the page is hidden or closes. */
function useSavedOnLeave(isUnsaved: boolean, save: () => void): void {
  const latest = useRef({ isUnsaved, save })
  useEffect(() => {
    latest.current = { isUnsaved, save }
  })
  useEffect(() => {
    const saveNow = () => {
      if (latest.current.isUnsaved) latest.current.save()
    }
    const onVisibility = () => document.visibilityState === 'hidden' && saveNow()
    const onUnload = (event: BeforeUnloadEvent) => {
      if (latest.current.isUnsaved && connection.get().state !== 'open') event.preventDefault()
      saveNow()
    }
    document.addEventListener('visibilitychange', onVisibility)
    addEventListener('pagehide', saveNow)
    addEventListener('beforeunload', onUnload)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('pagehide', saveNow)
      removeEventListener('beforeunload', onUnload)
      saveNow()
    }
  }, [])
}
