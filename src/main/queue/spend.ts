import type { Job } from '../../shared/jobs/job.ts'
import type { Reason } from '../../shared/sentences/reasons.ts'
import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { isMeterDue, meteredSpend } from '../core/credit-meter.ts'
import {
  decideSpend,
  describeHold,
  expectedHold,
  type SpendCaps,
  type SpendQuestion,
  type SpentSoFar,
} from '../core/spend-guard.ts'
import { findBatch } from '../journal/batches.ts'
import { meterOf } from '../journal/credit-meters.ts'
import type { DecisionContext, QueueContext } from './context.ts'
import { sentInBatch, sentSince, waitingIn } from '../journal/spending.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'

const NO_CAPS: SpendCaps = { perDay: null, perMonth: null, perFolderPerDay: null }

type SpendVerdict =
  | { kind: 'send' }
  /** Only after the service was asked for price and balance: `meterSpend`. */
  | { kind: 'ask' }
  /**
   * The batch is still growing: nothing of it is sent until it is known whether a person must approve it. Or its credits are limited,
   * and what its pictures under way have cost is not known yet.
   */
  | { kind: 'wait' }
  | { kind: 'hold'; detail: Sentence }

/**
 * Whether this job's dispatch is covered: burst, caps and `--max-credits`, based on what the journal says was sent to the same
 * service. A repetition that a person asked for needs no further approval; the caps apply to it too.
 */
export function guardSpend(context: QueueContext, job: Job, isRepetition: boolean): SpendVerdict {
  const { db } = context
  const batch = findBatch(db, job.batchId)
  const confirmed = isRepetition || batch?.confirmed === true
  const { serviceId, folderId } = job
  const waiting = confirmed ? 1 : waitingIn(db, job.batchId)
  const askAbove = context.askAbove(folderId)
  if (batch?.open === true && !confirmed && waiting <= askAbove) return { kind: 'wait' }
  // A cap protects the credits of the service in use; pictures bound to another service spend none of them.
  const caps = batch?.boundTo == null ? context.settings().caps : NO_CAPS
  const question = {
    dispatchesWaiting: waiting,
    askAbove,
    confirmed,
    caps,
    spent: spentSoFar(context, caps, serviceId, folderId),
    maxCredits: batch?.maxCredits ?? null,
    creditsSpent: 0,
    creditsPerImage: batch?.creditsPerImage ?? null,
  }
  const decision = decideSpend(question)
  if (decision.kind === 'hold') return { kind: 'hold', detail: describeHold(decision.hold) }
  return batch === null || batch.maxCredits === null ? { kind: 'send' } : guardCredits(context, job, question)
}

/** Within `--max-credits`, by the stated price and by the balance. */
function guardCredits({ db, clock }: DecisionContext, job: Job, question: SpendQuestion): SpendVerdict {
  const { sent, ended } = sentInBatch(db, job)
  const creditsPerImage = question.creditsPerImage ?? 0
  const stated = decideSpend({ ...question, creditsSpent: sent * creditsPerImage })
  const meter = meterOf(db, clock, job.batchId)
  if (meter === null && stated.kind === 'allow') return { kind: 'ask' }
  const metered = meter === null ? null : meteredSpend(meter, sent)
  const decision =
    metered === null
      ? stated
      : decideSpend({
          ...question,
          creditsSpent: metered.credits,
          creditsPerImage: metered.perImage,
          fell: metered.fell,
        })
  // What was sent since the balance was asked for is an estimate: it is asked for again before anything is held because of it.
  if (stated.kind === 'allow' && meter !== null && (decision.kind === 'hold' || isMeterDue(meter, sent))) {
    if (ended > meter.seen) return { kind: 'ask' }
    if (sent > meter.seen) return { kind: 'wait' }
  }
  return decision.kind === 'allow' ? { kind: 'send' } : { kind: 'hold', detail: describeHold(decision.hold) }
}

/** Work of a future batch, as the guard will be asked about it. */
export interface ExpectedSpend {
  /** Pictures that need the service, including those with the same content as another one, which wait with it. */
  pictures: number
  dispatches: number
  serviceId: ServiceId
  confirmed: boolean
  maxCredits: number | null
  creditsPerImage: number | null
}

/** How many pictures of a future batch would be held for a person, and why; null when none would. */
export function expectedHolds(
  context: DecisionContext,
  spend: ExpectedSpend,
): { pictures: number; reason: Reason } | null {
  const { pictures, dispatches, serviceId, confirmed, maxCredits, creditsPerImage } = spend
  if (dispatches === 0) return null
  const caps = { ...context.settings().caps, perFolderPerDay: null }
  const question = {
    askAbove: context.askAbove(null),
    confirmed,
    caps,
    spent: spentSoFar(context, caps, serviceId, null),
    maxCredits,
    creditsSpent: 0,
    creditsPerImage,
  }
  const asAWhole = decideSpend({ ...question, dispatchesWaiting: pictures })
  const held =
    asAWhole.kind === 'hold'
      ? { dispatches, hold: asAWhole.hold }
      : expectedHold({ ...question, dispatchesWaiting: dispatches, confirmed: true })
  if (held === null) return null
  return { pictures: held.dispatches, reason: { code: 'spend_guard', detail: describeHold(held.hold) } }
}

/** Counts only what a cap is set for. A day and a month are the account's, a folder is this computer's. */
function spentSoFar(
  { db, clock, accountSpent }: DecisionContext,
  caps: SpendCaps,
  serviceId: ServiceId,
  folderId: string | null,
): SpentSoFar {
  const nowMs = clock.nowMs()
  const account = accountSpent?.(serviceId) ?? null
  return {
    today: caps.perDay === null ? 0 : Math.max(account?.today ?? 0, sentSince(db, serviceId, startOfDay(nowMs))),
    thisMonth:
      caps.perMonth === null ? 0 : Math.max(account?.thisMonth ?? 0, sentSince(db, serviceId, startOfMonth(nowMs))),
    inFolderToday:
      caps.perFolderPerDay === null || folderId === null ? 0 : sentSince(db, serviceId, startOfDay(nowMs), folderId),
  }
}

/** The start of the day in local time. */
export function startOfDay(nowMs: number): number {
  const day = new Date(nowMs)
  return day.setHours(0, 0, 0, 0)
}

export function startOfMonth(nowMs: number): number {
  const first = new Date(nowMs)
  first.setDate(1)
  return startOfDay(first.getTime())
}
