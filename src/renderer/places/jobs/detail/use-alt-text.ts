import i18next from 'i18next'
import { useEffect, useMemo, useRef, useSyncExternalStore, type KeyboardEvent } from 'react'
import type { TextDraft, TextView } from '../../../../shared/contract/texts.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import type { FieldView, Shown, TextKey } from '../../../store/text-keeper.ts'
import { typedTexts } from '../../../store/typed-texts.ts'
import { toastWithUndo } from '../../../store/undo.ts'

const NO_DRAFTS: readonly TextDraft[] = []

export type AltTextField = ReturnType<typeof useAltText>

/**
 * The state of one alt text field. It shows what was typed in this window, else the newest draft, else the saved text. Typed text
 * becomes a draft at once, and is saved when the person leaves the field, when the field is unmounted, or with Control and Enter.
 * Escape discards it. An emptied field reverts to the service's text.
 */
export function useAltText(jobId: string, text: TextView, given: readonly TextDraft[]) {
  const { languageCode, altText: saved } = text
  const key = useMemo<TextKey>(() => ({ jobId, languageCode }), [jobId, languageCode])
  const view = useSyncExternalStore(typedTexts.subscribe, () => typedTexts.view(key))
  const { words, saving } = view
  const isTyping = words !== null
  const { value, isDraft, drafts, restored } = textNow(view, text, given)
  const others = drafts.filter((draft) => draft !== restored && draft.altText.trim() !== (words ?? saved).trim())
  const discarded = useRef<(() => void) | null>(null)
  const shown: Shown = { saved, drafts: restored === null ? [] : [restored.id] }

  useEffect(() => () => typedTexts.leave(key), [key])

  const save = () => {
    if (restored === null) typedTexts.save(key)
    else saveWords(key, restored.altText, shown)
  }
  const discard = () => {
    const lost = words ?? restored?.altText ?? null
    if (lost === null) return
    typedTexts.discard(key, shown.drafts)
    discarded.current = toastWithUndo(i18next.t('detail:texts.discarded'), () =>
      typedTexts.type(key, lost, { saved, drafts: [] }),
    )
  }
  return {
    value,
    isDraft,
    saving,
    /** The field shows an earlier draft, or one of another window. */
    isRestored: restored !== null,
    /** Further drafts of this text. */
    others,
    change: (value: string) => typedTexts.type(key, value, shown),
    save,
    discard,
    giveBack: () => giveBack(key, text, shown),
    takeOther: (draft: TextDraft) => inBackground('text.takeOther', () => takeOther(key, draft, { words, saved })),
    dropOther: (draft: TextDraft) => inBackground('text.dropOther', () => dropOther(key, draft)),
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

function saveWords(key: TextKey, altText: string, from: Shown): void {
  typedTexts.type(key, altText, from)
  typedTexts.save(key)
}

/** Puts the service's text back in the place of a person's, or takes that away where there is none. */
function giveBack(key: TextKey, { altText, original }: TextView, shown: Shown): void {
  saveWords(key, '', shown)
  toastWithUndo(i18next.t(original === '' ? 'detail:texts.removed' : 'detail:texts.givenBack'), () =>
    saveWords(key, altText, { saved: original ?? '', drafts: [] }),
  )
}

const putDraft = ({ jobId, languageCode }: TextKey, draftId: string, altText: string | null) =>
  askOrToast('jobs.draftText', { id: jobId, languageCode, draftId, altText })

/** The text typed here so far becomes one of the other drafts. */
async function takeOther(key: TextKey, draft: TextDraft, mine: { words: string | null; saved: string }): Promise<void> {
  const { words, saved } = mine
  if (words !== null && (await putDraft(key, draft.id, words)) === null) return
  typedTexts.type(key, draft.altText, { saved, drafts: words === null ? [draft.id] : [] })
}

async function dropOther(key: TextKey, draft: TextDraft): Promise<void> {
  if ((await putDraft(key, draft.id, null)) !== null)
    toastWithUndo(i18next.t('detail:texts.discarded'), () => putDraft(key, draft.id, draft.altText))
}

/** The text as its field shows it, and whether it is not saved yet. */
export function textNow(
  { words, saving, settles }: FieldView,
  { languageCode, altText: saved }: TextView,
  given: readonly TextDraft[],
) {
  const drafts = given.length === 0 ? NO_DRAFTS : given.filter((draft) => isOpen(draft, languageCode, settles))
  const isNews = ({ altText, newer }: TextDraft) => newer && altText.trim() !== saved
  const restored = words === null ? (drafts.find(isNews) ?? null) : null
  const isDraft = restored !== null || ['typing', 'draft', 'unsent'].includes(saving.kind)
  return { value: words ?? restored?.altText ?? saved, isDraft, drafts, restored }
}

const isOpen = (draft: TextDraft, languageCode: string, settles: readonly string[]) =>
  draft.languageCode === languageCode && draft.id !== typedTexts.draftId && !settles.includes(draft.id)
