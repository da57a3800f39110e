import type { TextDraft, TextView } from '../../shared/contract.ts'
import { connection } from '../bridge/connect.ts'
import { ask } from './bridge.ts'
import { TextKeeper, type TextKey } from './text-keeper.ts'

type TextListener = (jobId: string, answer: { texts?: TextView[]; drafts: TextDraft[] }) => void

const listeners = new Set<TextListener>()

/** Calls back with a job's texts and drafts as soon as typing changed them. Returns unsubscribe. */
export function onTextsChanged(listener: TextListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const named = ({ jobId, languageCode }: TextKey) => ({ id: jobId, languageCode })

/** What is being typed into alt texts in this window. */
export const typedTexts = new TextKeeper({
  draftId: crypto.randomUUID(),
  draft: ({ altText, draftId, replaces, ...key }) =>
    ask('jobs.draftText', { ...named(key), altText, draftId, replaces }),
  save: ({ altText, settles, seen, ...key }) => ask('jobs.editText', { ...named(key), altText, settles, seen }),
  onAnswer: (jobId, answer) => {
    for (const listener of listeners) listener(jobId, answer)
  },
  isConnected: () => connection.get().state === 'open',
  monotonicMs: () => performance.now(),
  setTimer: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
})

/** Sends typed words before the window is hidden or goes, and those that could not be sent once it is connected again. */
export function keepTypedTexts(): void {
  let wasOpen = connection.get().state === 'open'
  connection.subscribe(() => {
    const isOpen = connection.get().state === 'open'
    if (isOpen && !wasOpen) typedTexts.connected()
    wasOpen = isOpen
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') typedTexts.flush()
  })
  addEventListener('pagehide', () => typedTexts.flush())
  addEventListener('beforeunload', (event) => {
    typedTexts.flush()
    // What is on its way arrives; without a connection the words would be gone with the page.
    if (connection.get().state !== 'open' && typedTexts.hasUnkept()) event.preventDefault()
  })
}
