import { ServiceResult, type Job } from '../../shared/jobs/job.ts'
import type { PaidKey, ServiceId } from '../../shared/recipes/recipe.ts'
import type { JobEvent } from '../core/transition.ts'
import { parseStored } from './documents.ts'
import { type Db, prepared } from './journal.ts'

/**
 * What is known about a paid key:
 * - `sending`: an intent is on the disk; - `accepted`: the service has it, the result is pending;
 * - `paid`: the result is stored, nothing has to be sent again; - `unknown`: it may have been charged;
 * - `ended`: the service accepted it and gave no result.
 * No row means that it was never sent, or definitely not charged.
 */
export interface Payment {
  state: 'sending' | 'accepted' | 'paid' | 'unknown' | 'ended'
  jobId: string
  remoteJobId: string | null
  /** Null also if it no longer parses: asking the service for it again is free. */
  result: ServiceResult | null
  atMs: number
}

/** A second dispatch of a paid key was about to begin that no person asked for. */
export class AlreadyDispatched extends Error {
  constructor(state: string) {
    super(`this content was dispatched before (${state})`)
    this.name = 'AlreadyDispatched'
  }
}

export function findPayment(db: Db, paidKey: PaidKey): Payment | null {
  const sql = `SELECT state, job_id AS jobId, remote_job_id AS remoteJobId, result, at_ms AS atMs
    FROM payments WHERE paid_key = ?`
  const row = prepared<[string], Omit<Payment, 'result'> & { result: string | null }>(db, sql).get(paidKey)
  return row === undefined
    ? null
    : { ...row, result: row.result === null ? null : parseStored(row.result, ServiceResult).value }
}

/**
 * What this journal paid for a job's key, else the result that a sidecar listed when the job was taken in. That counts for this job
 * only: anyone who can write in the folder may have written the sidecar.
 */
export function paymentFor(db: Db, job: Job): Payment | null {
  const known = job.paidKey === null ? null : findPayment(db, job.paidKey)
  if (known !== null || job.paidKey === null || job.result === null || job.sentAtMs !== null) return known
  return { state: 'paid', jobId: '', remoteJobId: job.remoteJobId, result: job.result, atMs: job.createdAtMs }
}

/** Keeps payments and dispatches in step with a job's change, in the same transaction. Throws `AlreadyDispatched`. */
export function updatePayment(db: Db, before: Job, after: Job, event: JobEvent): void {
  const paidKey = before.paidKey
  if (paidKey === null) return
  if (event.type === 'dispatch') {
    beginDispatch(db, after, paidKey)
    return
  }
  if (before.state === 'sending') {
    leaveSending(db, before, after, paidKey)
    return
  }
  if (!concernsPayment(db, before, paidKey)) return
  // The service no longer has the result: only a new dispatch helps.
  const isGone = event.type === 'fail' && event.reason.code === 'download_gone'
  if (isGone || event.type === 'sendAgain') setState(db, paidKey, 'ended')
  if (before.state !== 'waiting') return
  if (event.type === 'completed') markPaid(db, paidKey, after)
  else if (after.state === 'unknown') setState(db, paidKey, unlessKept(db, paidKey, 'unknown'))
  else if (after.state === 'failed') setState(db, paidKey, unlessKept(db, paidKey, 'ended'))
}

/** False for a job that reuses a sidecar's result: its outcome says nothing about what this journal paid for. */
function concernsPayment(db: Db, job: Job, paidKey: PaidKey): boolean {
  if (job.sentAtMs !== null) return true
  const payment = findPayment(db, paidKey)
  if (payment === null || payment.remoteJobId !== job.remoteJobId) return false
  return job.result === null || payment.result === null || payment.result.imageId === job.result.imageId
}

/** A failed repetition does not devalue the result of the first dispatch. */
function unlessKept(db: Db, paidKey: PaidKey, state: 'unknown' | 'ended'): Payment['state'] {
  return findPayment(db, paidKey)?.result == null ? state : 'paid'
}

/** Whether a person asked for another dispatch of a payment in this state, and nothing was sent since. */
export function mayRepeat(db: Db, job: Job, state: Payment['state']): boolean {
  const isUncertain = state === 'unknown' || state === 'ended'
  const approved = isUncertain ? job.resendApproved || job.force : state === 'paid' && job.force
  return approved && lastDispatch(db, job.paidKey!) <= job.approvalCovers
}

/** The latest dispatch of this key outside a batch that may have reached the service; 0 without one. An order of a batch is carried out once. */
export function lastDispatch(db: Db, paidKey: PaidKey, exceptBatch = ''): number {
  const sql = `SELECT max(id) FROM dispatches WHERE paid_key = ? AND batch_id <> ? AND outcome IN ('open', 'accepted', 'unknown')`
  return prepared<[string, string], number | null>(db, sql).pluck(true).get(paidKey, exceptBatch) ?? 0
}

function beginDispatch(db: Db, job: Job, paidKey: PaidKey): void {
  const { recipe } = job
  const known = findPayment(db, paidKey)
  if (known !== null && !mayRepeat(db, job, known.state)) throw new AlreadyDispatched(known.state)
  const sql = `INSERT INTO payments (paid_key, service_id, job_id, state, remote_job_id, result, at_ms)
     VALUES (?, ?, ?, 'sending', NULL, NULL, ?)
     ON CONFLICT (paid_key) DO UPDATE SET job_id = excluded.job_id, state = 'sending', remote_job_id = NULL, at_ms = excluded.at_ms,
       -- That of an ended payment is gone at the service.
       result = CASE state WHEN 'ended' THEN NULL ELSE result END`
  prepared(db, sql).run(paidKey, job.serviceId, job.id, job.sentAtMs)
  const dispatchSql = `INSERT INTO dispatches (paid_key, job_id, folder_id, service_id, operation, languages, format, at_ms, outcome, repeats, batch_id,
       account_id)
     VALUES (:paidKey, :id, :folderId, :serviceId, :operation, :languages, :format, :sentAtMs, 'open', :repeats, :batchId,
       :accountId)`
  prepared(db, dispatchSql).run({
    ...job,
    paidKey,
    languages: recipe.languages.length,
    format: recipe.format,
    repeats: known === null ? 0 : 1,
  })
}

function leaveSending(db: Db, before: Job, after: Job, paidKey: PaidKey): void {
  if (after.state === 'waiting') {
    closeDispatch(db, before.id, 'accepted')
    const sql = `UPDATE payments SET state = 'accepted', remote_job_id = ? WHERE paid_key = ?`
    prepared(db, sql).run(after.remoteJobId, paidKey)
  } else if (after.state === 'unknown') {
    closeDispatch(db, before.id, 'unknown')
    setState(db, paidKey, unlessKept(db, paidKey, 'unknown'))
  } else {
    closeDispatch(db, before.id, 'notSent')
    // If a resend was not sent after all, the outcome of the first dispatch is as unknown as before.
    if (wasRepeat(db, before.id)) setState(db, paidKey, unlessKept(db, paidKey, 'unknown'))
    else prepared(db, 'DELETE FROM payments WHERE paid_key = ?').run(paidKey)
  }
}

/** Whether the dispatch under way repeats an earlier one because a person asked for it. */
function wasRepeat(db: Db, jobId: string): boolean {
  const sql = 'SELECT repeats FROM dispatches WHERE job_id = ? ORDER BY id DESC LIMIT 1'
  return prepared<[string], { repeats: number }>(db, sql).get(jobId)?.repeats === 1
}

/** `notSent`: not taken either, until the balance shows that the refusal was charged (`countRefusals`). */
function closeDispatch(db: Db, jobId: string, outcome: 'accepted' | 'notSent' | 'unknown'): void {
  prepared(db, `UPDATE dispatches SET outcome = ? WHERE job_id = ? AND outcome = 'open'`).run(outcome, jobId)
}

/** Whether the service gave this job id for something else that was sent to it. */
export function isJobOfAnother(db: Db, { serviceId, paidKey }: Job, remoteJobId: string): boolean {
  const sql = 'SELECT 1 FROM payments WHERE service_id = ? AND remote_job_id = ? AND paid_key <> ?'
  return prepared<unknown[], unknown>(db, sql).get(serviceId, remoteJobId, paidKey) !== undefined
}

/** Whether the service gave this image id for another picture. The same content may well keep its id in another operation. */
export function isImageOfAnother(db: Db, { serviceId, paidKey }: Job, imageId: string): boolean {
  const sql = `SELECT paid_key FROM payments WHERE result IS NOT NULL AND service_id = ?
    AND CASE WHEN json_valid(result) THEN result ->> 'imageId' END = ?`
  const keys = prepared<[string, string], PaidKey>(db, sql).pluck(true).all(serviceId, imageId)
  return keys.some((key) => contentOf(key) !== contentOf(paidKey!))
}

/** The hash in a paid key, whose service may contain anything. */
const contentOf = (paidKey: PaidKey): string => paidKey.split('|').at(-4)!

function setState(db: Db, paidKey: PaidKey, state: Payment['state']): void {
  prepared(db, 'UPDATE payments SET state = ? WHERE paid_key = ?').run(state, paidKey)
}

function markPaid(db: Db, paidKey: PaidKey, job: Job): void {
  const sql = `UPDATE payments SET state = 'paid', remote_job_id = ?, result = ? WHERE paid_key = ?`
  prepared(db, sql).run(job.remoteJobId, JSON.stringify(job.result), paidKey)
}

export function dispatchCount(db: Db, paidKey: PaidKey): number {
  const sql = `SELECT count(*) FROM dispatches WHERE paid_key = ? AND outcome IN ('open', 'accepted', 'unknown')`
  return prepared<[string], number>(db, sql).pluck(true).get(paidKey) ?? 0
}

/** From now on another job waits for the result of this payment. */
export function giveTo(db: Db, paidKey: PaidKey, jobId: string): void {
  prepared(db, 'UPDATE payments SET job_id = ? WHERE paid_key = ?').run(jobId, paidKey)
}

/** How many of an account's dispatches may have been lost since the last accepted one. By id: the wall clock may have been set back. */
export function lostInARow(db: Db, serviceId: ServiceId, accountId: string): number {
  // The "+" makes SQLite go back through the latest dispatches, of which it seldom needs many.
  const of = 'FROM dispatches WHERE +service_id = ? AND account_id = ?'
  const sql = `SELECT count(*) ${of} AND outcome = 'unknown' AND id > coalesce(
    (SELECT id ${of} AND outcome = 'accepted' ORDER BY id DESC LIMIT 1), 0)`
  return prepared<string[], number>(db, sql).pluck(true).get(serviceId, accountId, serviceId, accountId) ?? 0
}

/** After a restart. A row without its job, which no longer parsed, still stands for a request that may have been made. */
export function recoverPayments(db: Db): void {
  const sql = `UPDATE payments SET state = 'unknown' WHERE state = 'sending' AND job_id NOT IN (SELECT id FROM jobs WHERE state = 'sending')`
  prepared(db, sql).run()
  prepared(db, `UPDATE dispatches SET outcome = 'unknown' WHERE outcome = 'open'`).run()
}
