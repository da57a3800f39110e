import type { ReviewState } from '../../shared/contract/jobs.ts'
import type { Job } from '../../shared/jobs/job.ts'
import type { JobEvent } from '../core/transition.ts'
import { isDecorative, editsOf } from './text-edits.ts'
import { type Db, prepared } from './journal.ts'

/** Whether a person has looked at the job's texts; `none` without texts. */
export function reviewOf(db: Db, job: Job): ReviewState {
  if (job.result === null || job.result.translations.length === 0) return 'none'
  const sql = 'SELECT state FROM reviews WHERE job_id = ?'
  return prepared<[string], { state: 'needed' | 'reviewed' }>(db, sql).get(job.id)?.state ?? 'none'
}

/**
 * Keeps the mark in step with a job's change, in the same transaction. New texts need a review, unless a person wrote all of them, the
 * picture is decorative, or they were reviewed before. Returns the change in the number of jobs that need one.
 */
export function updateReview(db: Db, before: Job, after: Job, event: JobEvent): number {
  if (after.result === before.result) return 0
  const wasNeeded = Number(reviewOf(db, before) === 'needed')
  const texts = after.result?.translations ?? []
  if (texts.length === 0) {
    prepared(db, 'DELETE FROM reviews WHERE job_id = ?').run(after.id)
    return -wasNeeded
  }
  const own = new Set(
    editsOf(db, after.image?.sha256 ?? '').flatMap(({ languageCode, altText, byRule }) =>
      altText === null || byRule ? [] : [languageCode],
    ),
  )
  const isKnown =
    isDecorative(db, after.image?.sha256 ?? '') ||
    texts.every(({ languageCode }) => own.has(languageCode)) ||
    (event.type === 'reuse' && wasReviewed(db, after))
  put(db, after.id, isKnown ? 'reviewed' : 'needed')
  return Number(!isKnown) - wasNeeded
}

function wasReviewed(db: Db, job: Job): boolean {
  const sql = `SELECT 1 FROM jobs JOIN reviews ON reviews.job_id = jobs.id
    WHERE jobs.paid_key = ? AND reviews.state = 'reviewed' LIMIT 1`
  return prepared(db, sql).get(job.paidKey) !== undefined
}

/** False when it was marked so already, or when there are no texts. */
export function markReviewed(db: Db, jobId: string, reviewed: boolean): boolean {
  const state = reviewed ? 'reviewed' : 'needed'
  return (
    prepared(db, 'UPDATE reviews SET state = ? WHERE job_id = ? AND state <> ?').run(state, jobId, state).changes > 0
  )
}

function put(db: Db, jobId: string, state: 'needed' | 'reviewed'): void {
  const sql =
    'INSERT INTO reviews (job_id, state) VALUES (?, ?) ON CONFLICT (job_id) DO UPDATE SET state = excluded.state'
  prepared(db, sql).run(jobId, state)
}

export function countToReview(db: Db, query: { batchId?: string; folderId?: string } = {}): number {
  const terms = [`state = 'needed'`, 'job_id NOT IN (SELECT job_id FROM removed_jobs)']
  const values: string[] = []
  if (query.batchId !== undefined) terms.push('job_id IN (SELECT id FROM jobs WHERE batch_id = ?)')
  if (query.batchId !== undefined) values.push(query.batchId)
  if (query.folderId !== undefined) terms.push('job_id IN (SELECT id FROM jobs WHERE folder_id = ?)')
  if (query.folderId !== undefined) values.push(query.folderId)
  const sql = `SELECT count(*) AS n FROM reviews WHERE ${terms.join(' AND ')}`
  return prepared<string[], { n: number }>(db, sql).get(...values)?.n ?? 0
}
