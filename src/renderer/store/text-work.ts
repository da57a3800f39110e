import i18next from 'i18next'
import { create } from 'zustand'
import type { PageResponse } from '../../shared/contract/calls.ts'
import type { LeftFile } from '../../shared/contract/texts.ts'
import { wantTexts } from '../text/start-texts.ts'
import { toast } from './toasts.ts'
import { askOrToast } from './bridge.ts'
import { requestedFilter } from './jobs-filter.ts'
import { useJobs } from './jobs-store.ts'

/** The dialogs that work on the texts of many pictures. */
interface TextWork {
  /** The pictures under review, and the index of the current one, which equals their number at the end. */
  review: { ids: readonly string[]; at: number } | null
  /** The pictures in whose texts words are being replaced. */
  replaceIn: readonly string[] | null
  /** What a file with texts would change, or its name while that takes long to find out. */
  importing: PageResponse<'jobs.matchTexts'> | { reading: string } | null
  /** The pictures whose texts are to leave. */
  exporting: readonly string[] | null
}

export const useTextWork = create<TextWork>(() => ({ review: null, replaceIn: null, importing: null, exporting: null }))

/**
 * Reviews texts one by one: the unreviewed ones of these pictures, else of the selected ones if several are selected, otherwise of the whole
 * list. Starts with the focused picture, if it is among them.
 */
export async function startReview(these?: readonly string[]): Promise<void> {
  const { filter, groupBy, order, selection } = useJobs.getState()
  const wanted = { ...requestedFilter(filter), needsReview: true }
  const answer = await askOrToast('jobs.index', { filter: wanted, groupBy, order })
  if (answer === null) return
  const all = answer.sections.flatMap(({ ids }) => ids)
  const among = these !== undefined ? new Set(these) : selection.ids.size > 1 ? selection.ids : null
  const ids = among === null ? all : all.filter((id) => among.has(id))
  if (ids.length === 0) {
    await wantTexts('edits')
    return toast(i18next.t('edits:review.nothing'))
  }
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
export const endImporting = () => useTextWork.setState({ importing: null })
export const exportTextsOf = (ids: readonly string[]) => useTextWork.setState({ exporting: ids })
export const endExporting = () => useTextWork.setState({ exporting: null })
export const endReplacing = () => useTextWork.setState({ replaceIn: null })

/** Shows which files keep their old embedded texts, and why. */
export function showFilesLeft(files: readonly LeftFile[]): void {
  for (const { name, why } of files) toast(i18next.t(`detail:texts.fileLeft.${why}`, { name }))
}
