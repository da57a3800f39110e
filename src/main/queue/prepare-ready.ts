import { prepared } from './journal.ts'
import type { Job, ServiceResult } from '../../shared/job.ts'
import type { QueueContext } from './context.ts'
import { needsDownload } from './needs-download.ts'
import { mayRepeat, paymentFor } from './payments.ts'
import { guardSpend } from './spend.ts'

/** A job that waits for the same content under another job is looked at again at the latest after this. */
const TWIN_RECHECK_MS = 30_000
const IN_FLIGHT = ['sending', 'waiting', 'held']

/**
 * What a ready job needs: to be sent, or something that costs nothing and is done here at once. A paid key that is
 * known, in whatever state, is never sent again unless a person ordered it.
 */
export function prepareReady(context: QueueContext, job: Job): 'send' | 'not now' {
  const { db, store, clock } = context
  const payment = paymentFor(db, job)
  if (payment === null || mayRepeat(db, job, payment.state)) {
    const spend = guardSpend(context, job, payment !== null)
    if (spend.kind === 'send') return 'send'
    if (spend.kind === 'hold')
      store.apply(job.id, { type: 'hold', reason: { code: 'spend_guard', detail: spend.detail } })
    return 'not now'
  }
  const owner = payment.jobId === '' || payment.jobId === job.id ? null : store.get(payment.jobId)
  switch (payment.state) {
    case 'paid': {
      if (payment.result === null) {
        // Its kept result no longer parses: the free way is to ask for it again.
        if (payment.remoteJobId !== null) adopt(context, job, payment.remoteJobId, owner, payment.atMs)
        else store.apply(job.id, { type: 'doubt', reason: { code: 'answer_lost', detail: null } })
        return 'not now'
      }
      reuse(context, job, payment.result, payment.remoteJobId)
      return 'not now'
    }
    case 'sending':
    case 'accepted':
      if (owner !== null && IN_FLIGHT.includes(owner.state)) {
        store.apply(job.id, {
          type: 'later',
          reason: { code: 'same_content_in_flight', detail: null },
          notBeforeMs: clock.nowMs() + TWIN_RECHECK_MS,
          countsAsAttempt: false,
        })
      } else if (payment.remoteJobId !== null) adopt(context, job, payment.remoteJobId, owner, payment.atMs)
      else store.apply(job.id, { type: 'doubt', reason: { code: 'answer_lost', detail: null } })
      return 'not now'
    case 'unknown':
      store.apply(job.id, { type: 'doubt', reason: { code: 'answer_lost', detail: null } })
      return 'not now'
    case 'ended':
      store.apply(job.id, { type: 'fail', reason: { code: 'job_failed', detail: null } })
      return 'not now'
  }
}

function reuse(context: QueueContext, job: Job, result: ServiceResult, remoteJobId: string | null): void {
  context.store.apply(job.id, { type: 'reuse', result, remoteJobId, download: needsDownload(job) })
}

/** Lets a new job whose result is kept go on at once: that costs nothing, so neither pause nor credits stop it. */
export function reuseIfPaid(context: QueueContext, job: Job): void {
  if (job.state !== 'ready' || job.paidKey === null) return
  const payment = paymentFor(context.db, job)
  if (payment?.state !== 'paid' || payment.result === null || mayRepeat(context.db, job, 'paid')) return
  reuse(context, job, payment.result, payment.remoteJobId)
}

function adopt(context: QueueContext, job: Job, remoteJobId: string, owner: Job | null, sentAtMs: number): void {
  context.store.apply(job.id, { type: 'adopt', remoteJobId, accountId: owner?.accountId ?? null, sentAtMs }, () => {
    prepared(context.db, 'UPDATE payments SET job_id = ? WHERE paid_key = ?').run(job.id, job.paidKey)
  })
}

/** Lets jobs with the same content go on as soon as the one they waited for has moved. */
export function wakeTwins(context: QueueContext, moved: Job): void {
  if (moved.paidKey === null || IN_FLIGHT.includes(moved.state) || moved.state === 'ready') return
  for (const twin of context.store.list({ states: ['ready'], paidKey: moved.paidKey, limit: 1000 }))
    if (twin.reason?.code === 'same_content_in_flight')
      context.store.apply(twin.id, { type: 'later', reason: null, notBeforeMs: null, countsAsAttempt: false })
}
