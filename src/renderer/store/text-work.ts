import i18next from 'i18next'
import { create } from 'zustand'
import { toast } from '../parts/toasts.tsx'
import { askOrToast } from './bridge.ts'
import { requestedFilter } from './jobs-filter.ts'
import { useJobs } from './jobs-store.ts'

/** Work on the texts of many pictures, over the list. */
interface TextWork {
  /** The pictures that are reviewed one by one, and which of them is shown; `at` is their number once all were looked at. */
  review: { ids: readonly string[]; at: number } | null
  /** The pictures in whose texts words are replaced. */
  replaceIn: readonly string[] | null
}

export const useTextWork = create<TextWork>(() => ({ review: null, replaceIn: null }))

/**
 * Reviews texts one by one: those of the selected pictures, of several, else of all that the list shows, as far as nobody has looked
 * at them. Begins with the picture that the list stands on, if that is among them.
 */
export async function startReview(): Promise<void> {
  const { filter, order, selection } = useJobs.getState()
  const answer = await askOrToast('jobs.index', { filter: { ...requestedFilter(filter), needsReview: true }, order })
  if (answer === null) return
  const all = answer.sections.flatMap(({ ids }) => ids)
  const ids = selection.ids.size > 1 ? all.filter((id) => selection.ids.has(id)) : all
  if (ids.length === 0) return toast(i18next.t('detail:review.nothing'))
  useTextWork.setState({ review: { ids, at: Math.max(0, ids.indexOf(selection.focus ?? '')) } })
}

export function stepReview(by: 1 | -1): void {
  const { review } = useTextWork.getState()
  if (review === null) return
  const at = Math.max(0, Math.min(review.ids.length, review.at + by))
  useTextWork.setState({ review: { ...review, at } })
}

export const endReview = () => useTextWork.setState({ review: null })
export const replaceWordsIn = (ids: readonly string[]) => useTextWork.setState({ replaceIn: ids })
export const endReplacing = () => useTextWork.setState({ replaceIn: null })
