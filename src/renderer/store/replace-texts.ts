import i18next from 'i18next'
import type { PageResponse } from '../../shared/contract/calls.ts'
import { errorText } from '../text/error-text.ts'
import { countText } from '../text/figures.ts'
import { toast } from '../parts/toasts.tsx'
import { ask } from './bridge.ts'
import { refreshList } from './jobs-store.ts'
import { toastWithUndo } from './undo.ts'

type Replacement = PageResponse<'jobs.findInTexts'>['found'][number]

/** Changes these texts one by one, with a single undo for all. Does not mark any of them as reviewed. */
export async function replaceTexts(found: readonly Replacement[], onEnded: (count: number) => void): Promise<void> {
  const done = await editAll(found, ({ before, after }) => ({ altText: after, seen: before }), onEnded)
  if (done.length > 0)
    toastWithUndo(words('replaced', done.length), () =>
      // An empty text restores the service's own.
      editAll(done.toReversed(), ({ before, after, service }) => ({ altText: service ? '' : before, seen: after })),
    )
  refreshList()
}

/** Returns the texts that were changed; says how many could not be, and why the first of them failed. */
async function editAll(
  texts: readonly Replacement[],
  edit: (text: Replacement) => { altText: string; seen: string },
  onEnded: (count: number) => void = () => undefined,
): Promise<Replacement[]> {
  const done: Replacement[] = []
  let failure: string | null = null
  for (const [n, text] of texts.entries()) {
    const { id, languageCode } = text
    const answer = await ask('jobs.editText', { id, languageCode, ...edit(text), review: false })
    if (answer.ok) done.push(text)
    else failure ??= errorText(answer.error)
    onEnded(n + 1)
  }
  const failed = texts.length - done.length
  if (failure !== null) toast(`${words('notReplaced', failed)} ${failure}`, { bad: true })
  return done
}

const words = (key: 'replaced' | 'notReplaced', count: number) =>
  i18next.t(`detail:replace.${key}`, { count, figure: countText(count, i18next.language) })
