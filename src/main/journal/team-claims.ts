import { z } from 'zod'
import type { PaidKey, ServiceId } from '../../shared/recipes/recipe.ts'
import type { Documents } from './documents.ts'
import { type Db, prepared } from './journal.ts'
import type { Payment } from './payments.ts'

/*
 * The claim in a team ledger behind each paid key, and what was last reported about it. A row is written in one transaction with the
 * intent: a claim without one was never sent. `account` is the account's name in the ledger.
 */

type ReportedState = Payment['state'] | 'none'

export interface TeamClaim {
  paidKey: PaidKey
  claim: string
  /** What to report to the ledger: the payment's state, or `none` if certainly nothing was charged. */
  state: ReportedState
  remoteJobId: string | null
  /** JSON, as in `payments`. */
  result: string | null
}

export function rememberClaim(db: Db, account: string, paidKey: PaidKey, claim: string, state: ReportedState): void {
  const sql = `INSERT INTO team_claims (account, paid_key, claim, reported) VALUES (?, ?, ?, ?)
     ON CONFLICT (account, paid_key) DO UPDATE SET claim = excluded.claim, reported = excluded.reported`
  prepared(db, sql).run(account, paidKey, claim, state)
}

export function claimOf(db: Db, account: string, paidKey: PaidKey): string | null {
  const sql = 'SELECT claim FROM team_claims WHERE account = ? AND paid_key = ?'
  return prepared<[string, string], { claim: string }>(db, sql).get(account, paidKey)?.claim ?? null
}

export function isKnownClaim(db: Db, account: string, claim: string): boolean {
  const sql = 'SELECT 1 FROM team_claims WHERE account = ? AND claim = ?'
  return prepared<[string, string], unknown>(db, sql).get(account, claim) !== undefined
}

const STATE = `CASE
    WHEN c.reported = 'sending' AND (SELECT outcome FROM dispatches d WHERE d.paid_key = c.paid_key ORDER BY d.id DESC LIMIT 1)
      IN ('notSent', 'rejected') THEN 'none'
    ELSE coalesce(p.state, 'none') END`

/** Claims whose latest state the ledger does not know; all, or that of one key. */
export function unreportedClaims(db: Db, account: string, paidKey?: PaidKey): TeamClaim[] {
  const which = paidKey === undefined ? '' : 'AND c.paid_key = ?'
  const sql = `SELECT c.paid_key AS paidKey, c.claim, ${STATE} AS state, p.remote_job_id AS remoteJobId, p.result
    FROM team_claims c LEFT JOIN payments p ON p.paid_key = c.paid_key
    WHERE c.account = ? ${which} AND c.reported <> ${STATE}`
  return prepared<unknown[], TeamClaim>(db, sql).all(account, ...(paidKey === undefined ? [] : [paidKey]))
}

/** The report has arrived. A claim without a charge is forgotten, unless an earlier dispatch still counts. */
export function noteReported(db: Db, account: string, { paidKey, claim, state }: TeamClaim): void {
  if (state === 'none') {
    const gone = `DELETE FROM team_claims WHERE account = ? AND paid_key = ? AND claim = ?
      AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.paid_key = team_claims.paid_key)`
    prepared(db, gone).run(account, paidKey, claim)
    const kept = `UPDATE team_claims SET reported = (SELECT p.state FROM payments p WHERE p.paid_key = team_claims.paid_key)
      WHERE account = ? AND paid_key = ? AND claim = ?`
    prepared(db, kept).run(account, paidKey, claim)
    return
  }
  const sql = 'UPDATE team_claims SET reported = ? WHERE account = ? AND paid_key = ? AND claim = ?'
  prepared(db, sql).run(state, account, paidKey, claim)
}

/** Payments from before the account was shared, which the ledger does not know, without those that may belong to another account. */
export function uncontributed(
  db: Db,
  { account, serviceId, accountId }: { account: string; serviceId: ServiceId; accountId: string },
  which: { most: number } | { paidKey: PaidKey },
): TeamClaim[] {
  const paidKey = 'paidKey' in which ? which.paidKey : null
  const accounts = 'SELECT count(DISTINCT account_id) FROM accounts WHERE service_id = p.service_id'
  const sql = `SELECT p.paid_key AS paidKey, '' AS claim, p.state, p.remote_job_id AS remoteJobId, p.result FROM payments p
    WHERE p.service_id = ? ${paidKey === null ? '' : 'AND p.paid_key = ?'}
      AND NOT EXISTS (SELECT 1 FROM team_claims c WHERE c.account = ? AND c.paid_key = p.paid_key)
      AND ((${accounts}) <= 1 OR EXISTS (SELECT 1 FROM jobs j WHERE j.id = p.job_id AND CASE WHEN json_valid(j.doc) THEN json_extract(j.doc, '$.accountId') = ? END))
    LIMIT ?`
  const values = [serviceId, ...(paidKey === null ? [] : [paidKey]), account, accountId]
  return prepared<unknown[], TeamClaim>(db, sql).all(...values, 'most' in which ? which.most : 1)
}

/** Whether all that is known of a payment is that another computer may have sent it. */
export function isLearnedUnknown(db: Db, account: string, paidKey: PaidKey): boolean {
  const sql = `SELECT 1 FROM payments p JOIN team_claims c ON c.account = ? AND c.paid_key = p.paid_key AND c.reported = 'unknown'
    WHERE p.paid_key = ? AND p.state = 'unknown'
      AND NOT EXISTS (SELECT 1 FROM dispatches d WHERE d.paid_key = p.paid_key AND d.outcome IN ('open', 'accepted', 'unknown'))`
  return prepared<[string, string], unknown>(db, sql).get(account, paidKey) !== undefined
}

/** The other computer did not send it after all. */
export function forgetLearned(db: Db, account: string, paidKey: PaidKey): void {
  if (!isLearnedUnknown(db, account, paidKey)) return
  prepared(db, 'DELETE FROM payments WHERE paid_key = ?').run(paidKey)
  prepared(db, 'DELETE FROM team_claims WHERE account = ? AND paid_key = ?').run(account, paidKey)
}

const [DECISION, Decision] = ['team_decision', z.object({ serviceId: z.string(), isDropped: z.boolean() })] as const

/** A person dropped an unknown payment, or took that back; kept until the ledger knows. Runs in the transaction of the job's change. */
export function keepDecision(documents: Documents, paidKey: PaidKey, serviceId: ServiceId, isDropped: boolean): void {
  documents.put(DECISION, paidKey, { serviceId, isDropped })
}

export function keptDecisions(documents: Documents, serviceId: ServiceId): { paidKey: PaidKey; isDropped: boolean }[] {
  return documents
    .list(DECISION, Decision)
    .flatMap(({ key, value }) => (value.serviceId === serviceId ? [{ paidKey: key, isDropped: value.isDropped }] : []))
}

/** The ledger knows of a decision; a later one is kept. */
export function decisionReported(documents: Documents, paidKey: PaidKey, isDropped: boolean): void {
  if (documents.get(DECISION, paidKey, Decision)?.isDropped === isDropped) documents.remove(DECISION, paidKey)
}

/** Records another computer's dispatch like an own one, so that it is not sent again without the ledger either. */
export function learnPayment(
  db: Db,
  payment: Payment & { paidKey: PaidKey; serviceId: ServiceId; state: Exclude<Payment['state'], 'sending'> },
): void {
  const sql = `INSERT INTO payments (paid_key, service_id, job_id, state, remote_job_id, result, at_ms)
     VALUES (:paidKey, :serviceId, :jobId, :state, :remoteJobId, :result, :atMs)
     ON CONFLICT (paid_key) DO UPDATE SET job_id = excluded.job_id, state = excluded.state,
       remote_job_id = excluded.remote_job_id, result = coalesce(excluded.result, result), at_ms = excluded.at_ms`
  prepared(db, sql).run({ ...payment, result: payment.result === null ? null : JSON.stringify(payment.result) })
}
