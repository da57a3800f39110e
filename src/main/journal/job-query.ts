import { MAX_STORED_MS } from '../core/retries.ts'
import { sep } from 'node:path'
import type { JobState, ReasonCode } from '../../shared/sentences/reasons.ts'
import { foldedText } from './journal.ts'
import { NOT_REMOVED, REMOVED } from './removed-jobs.ts'

/** A member that is absent does not filter. */
export interface JobQuery {
  states?: readonly JobState[]
  batchId?: string
  folderId?: string
  serviceId?: string
  /** Only jobs of batches that are bound to this service. */
  boundTo?: string
  path?: string
  /** A folder: only pictures in it and in folders below it. */
  below?: string
  paidKey?: string
  reasons?: readonly ReasonCode[]
  /** True: only jobs that need no service; false: only jobs that do. */
  free?: boolean
  /** Only jobs that come after this one in the order asked for. */
  afterId?: string
  /** Leaves out batches that are still growing and not approved. */
  decidable?: boolean
  /** Leaves these out. */
  notBatches?: readonly string[]
  /** Only jobs whose wait is over at this time. */
  dueAtMs?: number
  /** Part of the path, in whatever case and however its accents are written. */
  search?: string
  /** Only jobs whose texts need a review. */
  needsReview?: boolean
  /** Leaves out files that Hangar made itself. */
  leavesOwn?: boolean
  /** Removed jobs instead of those on the list. */
  removed?: boolean
  limit?: number
  newestFirst?: boolean
}

/** The bounds of all paths below a folder in an index of paths. */
export function pathsBelow(folder: string): [string, string] {
  const first = folder.endsWith(sep) ? folder : folder + sep
  return [first, first.slice(0, -1) + String.fromCharCode(sep.charCodeAt(0) + 1)]
}

/** Files that Hangar made itself; a subquery, because their column is not in the index. */
export const IS_OWN = `id IN (SELECT id FROM jobs WHERE state = 'skipped' AND reason = 'own_output')`
export const TO_REVIEW = `id IN (SELECT job_id FROM reviews WHERE state = 'needed')`

const ASCII_ONLY = /^[\x20-\x7e]*$/

/** `hides`: there are removed jobs, which have to be left out. */
export function conditions(query: JobQuery, hides: boolean): { where: string; values: unknown[] } {
  const terms: string[] = query.removed === true ? [REMOVED] : hides ? [NOT_REMOVED] : []
  const values: unknown[] = []
  const add = (term: string, ...more: unknown[]) => {
    terms.push(term)
    values.push(...more)
  }
  if (query.states !== undefined) add(`state IN (${query.states.map(() => '?').join(', ')})`, ...query.states)
  if (query.batchId !== undefined) add('batch_id = ?', query.batchId)
  if (query.folderId !== undefined) add('folder_id = ?', query.folderId)
  if (query.serviceId !== undefined) add('service_id = ?', query.serviceId)
  if (query.boundTo !== undefined) add('batch_id IN (SELECT id FROM batches WHERE service_id = ?)', query.boundTo)
  if (query.path !== undefined) add('path = ?', query.path)
  if (query.below !== undefined) add('path > ? AND path < ?', ...pathsBelow(query.below))
  if (query.paidKey !== undefined) add('paid_key = ?', query.paidKey)
  if (query.reasons !== undefined) add(`reason IN (${query.reasons.map(() => '?').join(', ')})`, ...query.reasons)
  if (query.free !== undefined) add(query.free ? 'paid_key IS NULL' : 'paid_key IS NOT NULL')
  if (query.afterId !== undefined) add(query.newestFirst === true ? 'id < ?' : 'id > ?', query.afterId)
  if (query.decidable === true) add('batch_id NOT IN (SELECT id FROM batches WHERE open = 1 AND confirmed = 0)')
  for (const batchId of query.notBatches ?? []) add('batch_id <> ?', batchId)
  if (query.dueAtMs !== undefined)
    add(
      '(not_before_ms IS NULL OR not_before_ms NOT BETWEEN ? AND ?)',
      query.dueAtMs + 1,
      query.dueAtMs + MAX_STORED_MS,
    )
  if (query.needsReview === true) add(TO_REVIEW)
  if (query.leavesOwn === true) add(`NOT ${IS_OWN}`)
  const wanted = foldedText(query.search?.trim() ?? '')
  if (wanted !== '') add(`instr(${ASCII_ONLY.test(wanted) ? 'lower' : 'folded_text'}(path), ?) > 0`, wanted)
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values }
}
