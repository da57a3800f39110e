import type { TextDraft, TextView } from '../../shared/contract/texts.ts'
import { connection } from '../bridge/connect.ts'
import { ask } from './bridge.ts'
import { showFilesLeft } from './jobs-actions.ts'
import { TextKeeper, type TextKey } from './text-keeper.ts'

type TextListener = (jobId: string, answer: { texts?: TextView[]; drafts: TextDraft[] }) => void

const listeners = new Set<TextListener>()

/** Calls back with a job's texts and drafts when typing changed them. Returns unsubscribe. */
export function onTextsChanged(listener: TextListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const named = ({ jobId, languageCode }: TextKey) => ({ id: jobId, languageCode })

/** The alt texts that are being typed in this window. */
export const typedTexts = new TextKeeper({
  draft: ({ altText, ...key }) => ask('jobs.draftText', { ...named(key), altText }),
  save: async ({ altText, ...key }) => {
    const answer = await ask('jobs.editText', { ...named(key), altText })
    if (answer.ok) showFilesLeft(answer.value.filesLeft)
    return answer
  },
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

/** Sends typed text before the window is hidden or closed, and sends what failed once the connection is back. */
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
    // Requests under way still arrive; without a connection the text would be lost with the page.
    if (connection.get().state !== 'open' && typedTexts.hasUnkept()) event.preventDefault()
  })
}
