import { listText } from '../text/figures.ts'
import { t } from 'i18next'
import { resourceUrl } from '../bridge/resource-url.ts'
import type { PageRequest, PageResponse } from '../../shared/contract/calls.ts'
import { zipPath } from '../../shared/contract/page-bridge.ts'
import type { JobFacts } from '../../shared/contract/jobs.ts'
import type { BulkStep } from '../../shared/jobs/job-list.ts'
import type { ExportFormat, LeftFile } from '../../shared/contract/texts.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import { sentenceIn } from './error-text.ts'
import { saveText } from './save-text.ts'
import { toast, toastWithUndo } from './toasts.ts'
import { ask, askOrToast } from './bridge.ts'
import { factsOfLists, LISTS, LOOKED_AT, type Facts } from './jobs-facts.ts'
import { refreshList, removeFromList, selectJobs, useJobs } from './jobs-store.ts'
import { without } from './jobs-selection.ts'

/** Limited because the detail of each dragged job has to be read. */
const MAX_DRAGGED = 50

/** What can be done with the jobs; null when the call failed (a toast was shown). */
export async function readFacts(ids: Iterable<string>): Promise<Facts | null> {
  const chosen = new Set(ids)
  if (chosen.size > LOOKED_AT) return readFactsFromLists(chosen)
  const facts = await askOrToast('jobs.facts', { ids: [...chosen] })
  return facts === null ? null : { ...facts, exact: true }
}

async function readFactsFromLists(chosen: ReadonlySet<string>): Promise<Facts | null> {
  const lists: Record<string, string[]> = {}
  for (const [name, filter] of Object.entries(LISTS)) {
    const answer = await askOrToast('jobs.index', { filter })
    if (answer === null) return null
    lists[name] = answer.sections.flatMap((section) => section.ids)
  }
  return factsOfLists(chosen, lists)
}

/** Sends the command for the jobs that it applies to. The caller has asked first where it may cost. */
export async function takeStep(step: BulkStep, ids: readonly string[]): Promise<void> {
  const answer = await sendStep(step, [...ids])
  if (answer === null) return
  const { changed: count } = answer
  if (step === 'drop') toastWithUndo(t('jobs:leftUnsent', { count }), () => reopenJobs(ids))
  else toast(t(`jobs:${step === 'retry' ? 'retried' : step === 'cancel' ? 'cancelling' : 'settled'}`, { count }))
  refreshList()
}

async function reopenJobs(ids: readonly string[]): Promise<void> {
  const answer = await askOrToast('jobs.reopen', { ids: [...ids] })
  if (answer === null) return
  toast(t('jobs:reopened', { count: answer.changed }))
  refreshList()
}

function sendStep(step: BulkStep, ids: string[]): Promise<{ changed: number } | null> {
  if (step === 'retry') return askOrToast('jobs.retry', { ids })
  if (step === 'cancel') return askOrToast('jobs.cancel', { ids })
  return askOrToast('jobs.resolve', { ids, how: step })
}

export async function reviewJobs(ids: readonly string[], reviewed: boolean): Promise<void> {
  const answer = await askOrToast('jobs.review', { ids: [...ids], reviewed })
  if (answer !== null) refreshList()
}

/** Marks a picture as decoration or not, with undo, which gives the texts their review state back; false when that failed. */
export async function markDecorative(id: string, decorative: boolean, reviewed?: boolean): Promise<boolean> {
  const answer = await askOrToast('jobs.decorative', {
    id,
    decorative,
    ...(reviewed === undefined ? {} : { reviewed }),
  })
  if (answer === null) return false
  toastWithUndo(t(`detail:texts.${decorative ? 'markedDecorative' : 'unmarkedDecorative'}`), () =>
    markDecorative(id, !decorative, answer.wasReviewed),
  )
  if (!answer.sidecarWritten) sayLate(answer.why)
  showFilesLeft(answer.filesLeft)
  return true
}

export function showFilesLeft(files: readonly LeftFile[]): void {
  for (const { name, why } of files) toast(t(`detail:texts.fileLeft.${why}`, { name }))
}

/** Renames the results of a picture as its suggested name says, with undo. */
export async function renameFiles(id: string): Promise<void> {
  const answer = await askOrToast('jobs.renameFiles', { id })
  if (answer === null) return
  const { renamed, left } = answer
  if (left.length > 0) toast(t('detail:renames.left', { count: left.length, names: listText(left) }))
  if (renamed.length > 0)
    toastWithUndo(t('detail:renames.done', { count: renamed.length }), () =>
      askOrToast('jobs.renameFiles', { id, back: true }),
    )
}

/** The mark is in the journal, but not in the sidecar yet. */
function sayLate(given: Sentence | null): void {
  const why = given === null ? null : sentenceIn(given)
  toast(t(why === null ? 'detail:texts.sidecarLatePlain' : 'detail:texts.sidecarLate', { why }))
}

/** With undo. `settled` leaves jobs that need a person, and says so; `unsettled` removes only those, once the person confirmed it. */
export async function removeJobs(
  { settled, unsettled }: Pick<JobFacts, 'settled' | 'unsettled'>,
  kind: 'settled' | 'unsettled',
): Promise<void> {
  const answer = await askOrToast('jobs.remove', { ids: [...settled, ...unsettled], kind })
  if (answer === null) return
  leaveList(new Set(kind === 'settled' ? settled : unsettled))
  sayRemoved(answer)
}

export function sayRemoved({ removed, left, undo }: PageResponse<'jobs.remove'>): void {
  const stay = Object.values(left).reduce((sum, count) => sum + count, 0)
  const parts = [
    removed > 0 || stay === 0 ? t('jobs:removed', { count: removed }) : '',
    stay > 0 ? t('jobs:stay', { count: stay }) : '',
  ]
  const text = parts.join(' ').trim()
  if (undo === null) toast(text)
  else toastWithUndo(text, () => putBackJobs({ undo }))
}

/** Puts removed jobs back: these, those of one removal, or with neither those of the last. */
export async function putBackJobs(which: { undo?: string; ids?: string[] }): Promise<void> {
  const answer = await askOrToast('jobs.putBack', which)
  if (answer === null) return
  if (which.ids !== undefined) leaveList(new Set(which.ids))
  if (answer.putBack > 0) toast(t('jobs:putBack', { count: answer.putBack }))
  refreshList()
}

/** Moves the focus to the first job below those that leave, else to the last above. */
function leaveList(gone: ReadonlySet<string>): void {
  const { index, selection } = useJobs.getState()
  const names = index?.names ?? []
  const from = names.indexOf(selection.focus ?? '')
  const stays = (name: string) => !gone.has(name)
  const next = from < 0 ? undefined : (names.slice(from).find(stays) ?? names.slice(0, from).findLast(stays))
  selectJobs(without(selection, gone, next ?? null))
  removeFromList(gone)
  refreshList()
}

/** Says why originals were not restored. `onChanged`, for a caller that offers to force it, is called instead of saying so. */
export async function restoreOriginals(
  ids: readonly string[],
  { force = false, onChanged }: { force?: boolean; onChanged?: () => void } = {},
): Promise<void> {
  const answer = await askOrToast('jobs.restore', { ids: [...ids], force })
  if (answer === null) return
  const restored = answer.results.filter((result) => result.restored).length
  if (restored > 0) toast(t('jobs:restored', { count: restored }))
  const refused = Map.groupBy(
    answer.results.filter((result) => !result.restored),
    ({ problem }) => problem ?? 'failed',
  )
  for (const [problem, { length }] of refused) {
    if (problem === 'changed_since' && onChanged !== undefined) onChanged()
    else toast(t(`jobs:notRestored.${problem}`, { count: length }), { bad: true })
  }
  refreshList()
}

export async function exportJobs(ids: readonly string[], format: ExportFormat): Promise<void> {
  const file = await askOrToast('jobs.export', { ids: [...ids], format })
  if (file !== null) await saveText(file.filename, file.type, file.text)
}

/** Downloads the results of the jobs as one archive, which the browser streams to disk. */
export async function downloadResults(ids: readonly string[]): Promise<void> {
  const answer = await askOrToast('results.zip', { ids: [...ids] })
  if (answer === null) return
  if (answer.token === null) return toast(t('jobs:noResults'))
  const link = document.createElement('a')
  link.href = resourceUrl(zipPath(answer.token))
  link.download = ''
  link.click()
}

/** Starts dragging the outputs of the jobs out of the window. Call while a drag begins. */
export async function dragOut(ids: readonly string[]): Promise<void> {
  const details = await Promise.all(ids.slice(0, MAX_DRAGGED).map((id) => ask('jobs.detail', { id })))
  const items = details.flatMap((detail): PageRequest<'outputs.drag'>['items'] => {
    if (!detail.ok) return []
    const { row, outputs } = detail.value
    const files = outputs.filter(({ role, state }) => role !== 'sidecar' && state === 'published')
    return files.length > 0 ? files.map(({ index }) => ({ id: row.id, index })) : [{ id: row.id, index: null }]
  })
  if (items.length > 0) await askOrToast('outputs.drag', { items: items.slice(0, 200) })
}
