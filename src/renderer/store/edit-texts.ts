import { t } from 'i18next'
import type { PageRequest } from '../../shared/contract/calls.ts'
import { MAX_EDITS } from '../../shared/recipes/limits.ts'
import { ask } from './bridge.ts'
import { errorText, sentenceIn } from './error-text.ts'
import { refreshList } from './jobs-store.ts'
import { toastWithUndo, toast } from './toasts.ts'

type Edits = PageRequest<'jobs.editTexts'>['edits']

/** Changes these texts until `signal`, with a single undo for all that were changed. Marks none of them as reviewed. */
export async function editTexts(edits: Edits, onEnded?: (count: number) => void, signal?: AbortSignal): Promise<void> {
  const done = await editAll(edits, onEnded, signal)
  const turned = done.map((edit) => ({ ...edit, altText: turn(edit.altText), seoFilename: turn(edit.seoFilename) }))
  if (done.length > 0) toastWithUndo(words('changed', done.length), () => editAll(turned))
  refreshList()
}

const turn = (change: Edits[number]['altText']) => change && { seen: change.to, to: change.seen }

/** Returns those that were changed; says how many could not be, and why, and what keeps files from having them. */
async function editAll(edits: Edits, onEnded?: (count: number) => void, signal?: AbortSignal): Promise<Edits> {
  const done: Edits = []
  let failure: string | null = null
  let tried = 0
  while (tried < edits.length && signal?.aborted !== true) {
    const part = edits.slice(tried, tried + MAX_EDITS)
    const answer = await ask('jobs.editTexts', { edits: part })
    if (answer.ok) {
      done.push(...answer.value.changed.map((n) => part[n]!))
      if (answer.value.why !== null) failure ??= sentenceIn(answer.value.why)
    } else failure ??= errorText(answer.error)
    tried += part.length
    onEnded?.(tried)
  }
  const left = tried - done.length
  if (left > 0) toast(`${words('notChanged', left)} ${failure ?? ''}`.trim(), { bad: true })
  else if (failure !== null) toast(failure, { bad: true })
  return done
}

const words = (key: 'changed' | 'notChanged', count: number) => t(`edits:${key}`, { count })
