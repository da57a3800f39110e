import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { TextView } from '../../../../shared/contract.ts'
import { ask, order } from '../../../store/bridge.ts'
import { inBackground } from '../../../store/in-background.ts'
import { errorText } from '../../../text/error-text.ts'

/** `late`: kept, but the file beside the picture does not have it yet. */
export type Saving =
  { kind: 'quiet' | 'saving' | 'saved' } | { kind: 'late'; why: string | null } | { kind: 'failed'; message: string }

const QUIET: Saving = { kind: 'quiet' }
const SAVED_SHOWN_MS = 4000

/**
 * What a person types into one alt text. It is saved when they leave the field or press Control and Enter, and also when the
 * field goes away under them; Escape gives up what was not saved. An emptied field gives the service's words back.
 */
export function useAltText(jobId: string, text: TextView, onTexts: (texts: TextView[]) => void) {
  const { languageCode, altText: stored } = text
  const [draft, setDraft] = useState<string | null>(null)
  const [saving, setSaving] = useState<Saving>(QUIET)
  const unsaved = useRef<string | null>(null)
  unsaved.current = draft !== null && draft.trim() !== stored ? draft.trim() : null

  useEffect(() => {
    if (saving.kind !== 'saved') return
    const timer = setTimeout(() => setSaving(QUIET), SAVED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [saving])

  const send = async (altText: string) => {
    setSaving({ kind: 'saving' })
    const answer = await ask('jobs.editText', { id: jobId, languageCode, altText })
    if (!answer.ok) return setSaving({ kind: 'failed', message: errorText(answer.error) })
    // What was typed while it was being saved stays.
    setDraft((now) => (now !== null && now.trim() === altText ? null : now))
    onTexts(answer.value.texts)
    setSaving(answer.value.sidecarWritten ? { kind: 'saved' } : { kind: 'late', why: answer.value.why })
  }
  const save = () => {
    const altText = unsaved.current
    if (altText !== null) inBackground('use-alt-text.send', () => send(altText))
    else setDraft(null)
  }
  // A field that goes away tells nobody that the focus left it.
  useEffect(
    () => () => {
      const altText = unsaved.current
      if (altText !== null)
        inBackground('jobs.editText', () => order('jobs.editText', { id: jobId, languageCode, altText }))
    },
    [jobId, languageCode],
  )
  return {
    value: draft ?? stored,
    saving,
    change: (value: string) => {
      setDraft(value)
      if (saving.kind !== 'quiet') setSaving(QUIET)
    },
    save,
    giveBack: () => inBackground('use-alt-text.send', () => send('')),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        save()
      }
      if (event.key !== 'Escape' || unsaved.current === null) return
      event.stopPropagation()
      setDraft(null)
    },
  }
}
