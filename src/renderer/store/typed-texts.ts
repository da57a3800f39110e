import { t } from 'i18next'
import { useEffect, type KeyboardEvent } from 'react'
import { create } from 'zustand'
import type { AppErrorShape } from '../../shared/sentences/errors.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import type { TextView } from '../../shared/contract/texts.ts'
import { useConnection } from '../bridge/connection.ts'
import { inBackground } from '../bridge/in-background.ts'
import { ask } from './bridge.ts'
import { errorText } from './error-text.ts'
import { showFilesLeft } from './jobs-actions.ts'
import { toastWithUndo, toast } from './toasts.ts'
import { goTo } from './view-store.ts'

/** The alt text or the suggested file name of one job in one language. */
export interface TextKey {
  jobId: string
  languageCode: string
  of: 'altText' | 'seoFilename'
}

/** `late`: stored, but not yet in the sidecar; `unsent`: waits for the connection. */
type Saving =
  | { kind: 'typing' | 'saving' | 'saved' | 'unsent' }
  | { kind: 'late'; why: Sentence | null }
  | { kind: 'failed'; error: AppErrorShape }

interface Typed {
  key: TextKey
  /** Null once it is stored. */
  words: string | null
  /** The stored text as the field showed it when typing began. */
  stored: string
  saving: Saving
  /** Of the toast that offers the undo once it is stored; null for none, undefined for the usual one. */
  said: string | null | undefined
}

/** What is typed outlives its field, which may unmount before the text is stored. */
const useTypedTexts = create<Readonly<Record<string, Typed>>>(() => ({}))
const underWay = new Map<string, Promise<void>>()
/** Saved again while they are sent: what they are by then is sent as well. */
const again = new Set<string>()
const shown = new Set<string>()
/** What Escape took out of a field, until something is typed there. */
const discarded = new Map<string, ReturnType<typeof toastWithUndo>>()
const listeners = new Set<(jobId: string, texts: TextView[]) => void>()

/** Calls back with a job's texts as they are after one was stored. Returns unsubscribe. */
export function onTextsChanged(listener: (jobId: string, texts: TextView[]) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * A field for a text. It is stored when the person leaves it, by whichever way, with Enter (in an alt text with Control), and when the window is
 * hidden or closes; Escape gives back what was there. `stored`: the text without what is typed.
 */
export function useTypedText(key: TextKey, stored: string) {
  const name = nameOf(key)
  const typed = useTypedTexts((all) => all[name])
  useEffect(() => {
    shown.add(name)
    return () => {
      shown.delete(name)
      const now = typedText(name)
      if (now?.words === null) forget(name)
      else if (now?.saving.kind === 'typing') inBackground(() => save(name))
    }
  }, [name])
  return {
    value: typed?.words ?? stored,
    saving: typed?.saving ?? null,
    type: (words: string) => type(key, words, stored),
    save: () => inBackground(() => save(name)),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (key.of === 'seoFilename' || event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        inBackground(() => save(name))
      }
      const words = typed?.words ?? null
      if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && discarded.has(name)) {
        event.preventDefault()
        discarded.get(name)!.undo()
      }
      if (typed === undefined || event.key !== 'Escape' || words === null) return
      event.stopPropagation()
      if (underWay.has(name)) setText(key, typed.stored, words, null)
      else forget(name)
      const giveBack = () => {
        type(key, words, stored)
        if (!shown.has(name)) return save(name)
      }
      discarded.set(name, toastWithUndo(t('detail:texts.discarded'), giveBack))
    },
  }
}

/** Stores a text that is not typed; an empty one restores the service's. `said`: of the toast that offers the undo. */
export function setText(key: TextKey, words: string, stored: string, said?: string | null): void {
  type(key, words, stored, said)
  inBackground(() => save(nameOf(key)))
}

/** Stores what is typed of a picture's texts. False when that failed, which its field says. */
export async function saveTextsOf(jobId: string): Promise<boolean> {
  await Promise.all(unsaved(jobId).map(save))
  return unsaved(jobId).length === 0
}

/** Stores typed texts before the window is hidden or closed, and once the connection is back. */
export function keepTypedTexts(): void {
  // What was refused waits for a person.
  const savable = () => unsaved().filter((name) => typedText(name)?.saving.kind !== 'failed')
  const saveAll = () => inBackground(() => Promise.all(savable().map(save)))
  useConnection.subscribe(() => {
    if (isOpen() && unsaved().some((name) => typedText(name)?.saving.kind === 'unsent')) saveAll()
  })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && saveAll())
  addEventListener('pagehide', saveAll)
  addEventListener('beforeunload', (event) => {
    saveAll()
    // Requests under way still arrive; without a connection the text would be lost with the page.
    if (!isOpen() && unsaved().length > 0) event.preventDefault()
  })
}

const isOpen = () => useConnection.getState().state === 'open'
const nameOf = ({ jobId, languageCode, of }: TextKey) => `${jobId}\n${languageCode}\n${of}`
const typedText = (name: string): Typed | undefined => useTypedTexts.getState()[name]

const unsaved = (jobId?: string): string[] =>
  Object.entries(useTypedTexts.getState()).flatMap(([name, { key, words }]) =>
    words !== null && (jobId === undefined || key.jobId === jobId) ? [name] : [],
  )

function type(key: TextKey, words: string, stored: string, said?: string | null): void {
  const name = nameOf(key)
  const known = typedText(name)
  const before = known?.words == null ? stored : known.stored
  discarded.get(name)?.withdraw()
  discarded.delete(name)
  const saving: Saving = { kind: isOpen() ? 'typing' : 'unsent' }
  useTypedTexts.setState({ [name]: { key, words, stored: before, saving, said } })
}

function forget(name: string): void {
  const { [name]: _gone, ...others } = useTypedTexts.getState()
  useTypedTexts.setState(others, true)
}

function change(name: string, part: Partial<Typed>): void {
  const typed = typedText(name)
  if (typed !== undefined) useTypedTexts.setState({ [name]: { ...typed, ...part } })
}

function save(name: string): Promise<void> {
  const known = underWay.get(name)
  if (known !== undefined) again.add(name)
  const sending = known ?? send(name).finally(() => underWay.delete(name))
  underWay.set(name, sending)
  return sending
}

async function send(name: string): Promise<void> {
  for (;;) {
    const typed = typedText(name)
    if (typed?.words == null) return
    const words = typed.words.trim()
    if (words === typed.stored.trim()) return forget(name)
    if (!isOpen()) return change(name, { saving: { kind: 'unsent' } })
    change(name, { saving: { kind: 'saving' } })
    again.delete(name)
    const answer = await store(typed.key, words)
    if (!answer.ok) return failed(name, answer.error)
    const { texts, sidecarWritten, why } = answer.value
    const stored = texts.find(({ languageCode }) => languageCode === typed.key.languageCode)?.[typed.key.of] ?? words
    const isNow = typedText(name)?.words === typed.words
    const saving: Saving = sidecarWritten ? { kind: 'saved' } : { kind: 'late', why }
    const isSavedAgain = again.delete(name)
    for (const listener of listeners) listener(typed.key.jobId, texts)
    change(name, isNow ? { words: null, stored, saving } : { stored })
    const said = typed.said === undefined && typed.key.of === 'seoFilename' ? t('detail:texts.named') : typed.said
    if (said != null && stored !== typed.stored) toastWithUndo(said, () => takeBack(typed, stored))
    if (isNow && !shown.has(name)) forget(name)
    if (isNow || !isSavedAgain) return
  }
}

/** Shows the picture, whose text a person would not see change otherwise. */
function takeBack({ key, stored: before }: Typed, stored: string): void {
  setText(key, before, stored, null)
  goTo('jobs', { openJob: key.jobId })
}

async function store({ jobId: id, languageCode, of }: TextKey, words: string) {
  if (of === 'seoFilename') return ask('jobs.editName', { id, languageCode, seoFilename: words })
  const answer = await ask('jobs.editText', { id, languageCode, altText: words })
  if (answer.ok) showFilesLeft(answer.value.filesLeft)
  return answer
}

function failed(name: string, error: AppErrorShape): void {
  if (!isOpen()) return change(name, { saving: { kind: 'unsent' } })
  change(name, { saving: { kind: 'failed', error } })
  if (shown.has(name)) return
  toast(errorText(error), { bad: true })
  if (error.code === 'not_found') forget(name)
}
