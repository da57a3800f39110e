import i18next from 'i18next'
import { useEffect, useMemo, useRef, useSyncExternalStore, type KeyboardEvent } from 'react'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import type { DraftKind, TextDraft, TextView } from '../../../../shared/contract/texts.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import type { FieldView, TextKey } from '../../../store/text-keeper.ts'
import { typedTexts } from '../../../store/typed-texts.ts'
import { toastWithUndo } from '../../../store/undo.ts'

export type AltTextField = ReturnType<typeof useAltText>

/**
 * The state of one alt text field. It shows what was typed in this window, else the draft, else the saved text. Typed text
 * becomes a draft at once, and is saved when the person leaves the field, when the field is unmounted, or with Control and Enter.
 * Escape discards it. An emptied field reverts to the service's text.
 */
export function useAltText(jobId: string, text: TextView, drafts: readonly TextDraft[]) {
  const { languageCode, altText: saved } = text
  const key = useMemo<TextKey>(() => ({ jobId, languageCode }), [jobId, languageCode])
  const view = useSyncExternalStore(typedTexts.subscribe, () => typedTexts.view(key))
  const { words, saving } = view
  const isTyping = words !== null
  const { value, isDraft, restored } = textNow(view, text, drafts)
  const earlier = draftOf(drafts, languageCode, 'earlier')
  const discarded = useRef<(() => void) | null>(null)

  useEffect(() => () => typedTexts.leave(key), [key])

  const save = () => {
    if (restored === null) typedTexts.save(key)
    else saveWords(key, restored, saved)
  }
  const discard = () => {
    const lost = words ?? restored
    if (lost === null) return
    typedTexts.discard(key)
    discarded.current = toastWithUndo(i18next.t('detail:texts.discarded'), () => typedTexts.type(key, lost, saved))
  }
  return {
    value,
    isDraft,
    saving,
    /** The field shows a draft that was not typed in this window since it was opened. */
    isRestored: restored !== null,
    /** What was written about another picture of this name; null for nothing, and when the field says so already. */
    earlier: earlier?.trim() === value.trim() ? null : earlier,
    change: (value: string) => typedTexts.type(key, value, saved),
    save,
    discard,
    giveBack: () => giveBack(key, text),
    takeEarlier: (altText: string) => typedTexts.type(key, altText, saved),
    dropEarlier: (altText: string) => inBackground('text.dropEarlier', () => dropEarlier(key, altText)),
    onKeyDown: (event: KeyboardEvent) => {
      const mod = event.ctrlKey || event.metaKey
      if (event.key === 'Enter' && mod) {
        event.preventDefault()
        save()
      }
      // Nothing was typed since, so undo restores the draft that was discarded last.
      if (event.key.toLowerCase() === 'z' && mod && !event.shiftKey && !isTyping && discarded.current !== null) {
        event.preventDefault()
        discarded.current()
        discarded.current = null
      }
      if (event.key !== 'Escape' || (!isTyping && restored === null)) return
      event.stopPropagation()
      discard()
    },
  }
}

function saveWords(key: TextKey, altText: string, saved: string): void {
  typedTexts.type(key, altText, saved)
  typedTexts.save(key)
}

/** Saves what the fields of a picture show, drafts included. False when that failed, which its field says. */
export function saveShown({ row: { id: jobId }, texts, drafts }: JobDetail): Promise<boolean> {
  for (const text of texts) {
    const key = { jobId, languageCode: text.languageCode }
    const { restored } = textNow(typedTexts.view(key), text, drafts)
    if (restored === null) typedTexts.save(key)
    else saveWords(key, restored, text.altText)
  }
  return typedTexts.saved(jobId)
}

/** Puts the service's text back in the place of a person's, or takes that away where there is none. */
function giveBack(key: TextKey, { altText, original }: TextView): void {
  saveWords(key, '', altText)
  toastWithUndo(i18next.t(original === '' ? 'detail:texts.removed' : 'detail:texts.givenBack'), () =>
    saveWords(key, altText, original ?? ''),
  )
}

async function dropEarlier({ jobId, languageCode }: TextKey, altText: string): Promise<void> {
  const put = (text: string | null) =>
    askOrToast('jobs.draftText', { id: jobId, languageCode, kind: 'earlier', altText: text })
  if ((await put(null)) !== null) toastWithUndo(i18next.t('detail:texts.discarded'), () => put(altText))
}

const draftOf = (drafts: readonly TextDraft[], languageCode: string, kind: DraftKind): string | null =>
  drafts.find((draft) => draft.kind === kind && draft.languageCode === languageCode)?.altText ?? null

/** The text as its field shows it, whether it is not saved yet, and the draft that it shows if it was not typed in this window. */
function textNow(
  { words, saving }: FieldView,
  { languageCode, altText: saved }: TextView,
  drafts: readonly TextDraft[],
) {
  // What was saved or given up just now may still be among the drafts that were read.
  const draft = words === null && saving.kind === 'quiet' ? draftOf(drafts, languageCode, 'typed') : null
  const restored = draft?.trim() === saved.trim() ? null : draft
  const isDraft = restored !== null || ['typing', 'draft', 'unsent'].includes(saving.kind)
  return { value: words ?? restored ?? saved, isDraft, restored }
}
