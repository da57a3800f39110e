import { t } from 'i18next'
import { create } from 'zustand'
import type { PageResponse } from '../../shared/contract/calls.ts'
import type { ReviewState } from '../../shared/contract/jobs.ts'
import { toast } from './toasts.ts'
import { askOrToast } from './bridge.ts'
import { requestedFilter } from './jobs-filter.ts'
import { reviewJobs } from './jobs-actions.ts'
import { chooseNone } from './jobs-selection.ts'
import { selectJobs, useJobs } from './jobs-store.ts'
import { saveTextsOf } from './typed-texts.ts'
import { useView } from './view-store.ts'

interface TextWork {
  /** The pictures under review, in their order. */
  review: readonly string[] | null
  /** What a file with texts would change, or its name while that takes long to find out. */
  importing: PageResponse<'jobs.matchTexts'> | { reading: string } | null
  exporting: readonly string[] | null
}

export const useTextWork = create<TextWork>(() => ({ review: null, importing: null, exporting: null }))

/** The pictures of the list whose texts wait for a review; null when they could not be read. */
async function waitingOnes(): Promise<string[] | null> {
  const { filter, groupBy, order } = useJobs.getState()
  const wanted = { ...requestedFilter(filter), needsReview: true }
  const answer = await askOrToast('jobs.index', { filter: wanted, groupBy, order })
  return answer?.sections.flatMap(({ ids }) => ids) ?? null
}

/** Reviews one by one what is unreviewed of these, else of several selected ones, else of the list, from the focused picture on. */
export async function startReview(these?: readonly string[]): Promise<void> {
  const { selection } = useJobs.getState()
  const all = await waitingOnes()
  const among = these !== undefined ? new Set(these) : selection.ids.size > 1 ? selection.ids : null
  const ids = among === null ? all : all?.filter((id) => among.has(id))
  if (ids == null) return
  if (ids.length === 0) return toast(t('detail:review.nothing'))
  const start = Math.max(0, ids.indexOf(selection.focus ?? ''))
  const review = [...ids.slice(start), ...ids.slice(0, start)]
  useTextWork.setState({ review })
  useView.setState({ openJob: review[0]! })
}

/** Saves and approves the texts of a picture and, unless a person left it meanwhile, opens the next one that waits; a review ends after its last. */
export async function approve(id: string, state: ReviewState): Promise<void> {
  const { review } = useTextWork.getState()
  const isUnderReview = review?.includes(id) === true
  // As they are before it is saved, which reviews it.
  const ids = isUnderReview ? review : (useJobs.getState().index?.allIds() ?? [])
  if (!(await saveTextsOf(id)) || (state !== 'needed' && !isUnderReview)) return
  const waiting = new Set(isUnderReview ? review : await waitingOnes())
  const next = ids.slice(ids.indexOf(id) + 1).find((other) => waiting.has(other)) ?? null
  if (useView.getState().openJob === id && (next !== null || isUnderReview)) useView.setState({ openJob: next })
  if (state === 'needed') await reviewJobs([id], true)
  if (next === null && isUnderReview) toast(t('detail:review.finished', { count: ids.length }))
}

/** The pictures that were gone through are not what a person selected. */
export function endReview(): void {
  if (useTextWork.getState().review !== null) selectJobs(chooseNone(useJobs.getState().selection))
  useTextWork.setState({ review: null })
}

export const endImporting = () => useTextWork.setState({ importing: null })
export const exportTextsOf = (ids: readonly string[]) => useTextWork.setState({ exporting: ids })
export const endExporting = () => useTextWork.setState({ exporting: null })
