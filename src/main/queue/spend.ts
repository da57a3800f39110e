import type { Confirmation } from '../../shared/contract/intake.ts'
import type { Job } from '../../shared/jobs/job.ts'
import type { Reason } from '../../shared/sentences/reasons.ts'
import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { isPrice, withinLimit } from '../core/credit-limit.ts'
import { decideSpend, describeHold, expectedHold } from '../core/spend-guard.ts'
import type { SpendCaps, SpendHold, SpentSoFar } from '../core/spend-guard.ts'
import { findBatch } from '../journal/batches.ts'
import { meterOf, type RefusalStop, stopOf } from '../journal/credit-limits.ts'
import type { DecisionContext, QueueContext } from './context.ts'
import type { Db } from '../journal/journal.ts'
import { guardedBatches, guardedServices, sentInBatch, sentSince, waitingIn } from '../journal/spending.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'

const NO_CAPS: SpendCaps = { perDay: null, perMonth: null, perFolderPerDay: null }

type SpendVerdict =
  | { kind: 'send' }
  /** Only after the service was asked for price and balance: `look-at-balance.ts`. */
  | { kind: 'ask' }
  /** The batch is still growing, or what its pictures under way cost is not known yet. */
  | { kind: 'wait' }
  | { kind: 'hold'; detail: Sentence }

/**
 * Whether a dispatch is covered by burst, caps and `--max-credits`, by what the journal says was sent to the service. A repetition that a
 * person asked for needs no approval; the caps apply to it too.
 */
export function guardSpend(context: QueueContext, job: Job, isRepetition: boolean): SpendVerdict {
  const { db } = context
  const stop = isRepetition ? null : (stopOf(db, job.serviceId) ?? stopOf(db, job.batchId))
  if (stop !== null) return { kind: 'hold', detail: describeStop(stop) }
  const batch = findBatch(db, job.batchId)
  const confirmed = isRepetition || batch?.confirmed === true
  const { serviceId, folderId } = job
  const waiting = confirmed ? 1 : waitingIn(db, job.batchId)
  const askAbove = context.askAbove(folderId)
  if (batch?.open === true && !confirmed && waiting <= askAbove) return { kind: 'wait' }
  // A cap protects the credits of the service in use; pictures bound to another service spend none of them.
  const caps = batch?.boundTo == null ? context.settings().caps : NO_CAPS
  const decision = decideSpend({
    dispatchesWaiting: waiting,
    askAbove,
    confirmed,
    caps,
    spent: spentSoFar(context, caps, serviceId, folderId),
    maxCredits: null,
    creditsSpent: 0,
    creditsPerImage: null,
  })
  if (decision.kind === 'hold') return held(decision.hold)
  if (batch === null || batch.maxCredits === null) return { kind: 'send' }
  return guardCredits(context, job, batch.maxCredits, batch.creditsPerImage)
}

/** Within `--max-credits`, by the stated price and by the balance. */
function guardCredits({ db, clock }: DecisionContext, job: Job, limit: number, price: number | null): SpendVerdict {
  if (price === null || !isPrice(price)) return held({ why: 'price_unknown', limit })
  const sent = sentInBatch(db, job, clock.nowMs())
  const { kind, credits, perImage } = withinLimit(meterOf(db, job.batchId), sent, limit, price)
  return kind === 'hold' ? held({ why: 'max_credits', limit, spent: credits, perImage }) : { kind }
}

const held = (hold: SpendHold): SpendVerdict => ({ kind: 'hold', detail: describeHold(hold) })

function describeStop({ fell, refused, words }: RefusalStop): Sentence {
  if (fell === null) return say('refused_alike', { pictures: refused, why: words })
  return say('refusal_charged', { credits: fell, why: words })
}

/** The batches held by the spend guard, oldest first. */
export function heldBatches(context: QueueContext): Confirmation[] {
  const { db, store } = context
  return guardedBatches(db).flatMap(({ batchId, held, first }) => {
    const job = store.get(first)
    if (job === null) return []
    // As if a person approved it now.
    const agreed = guardSpend(context, job, true)
    const confirmable = agreed.kind !== 'hold'
    // What held it may be gone, and something else may hold it now.
    const now = confirmable ? guardSpend(context, job, false) : agreed
    const detail = now.kind === 'hold' ? now.detail : (job.reason?.detail ?? null)
    return [{ batchId, kind: findBatch(db, batchId)?.kind ?? 'run', folderId: job.folderId, held, detail, confirmable }]
  })
}

/**
 * The service whose prices apply to a batch that the spend guard holds. If the service in use was changed during its intake, it has
 * pictures for several, and only those for the one in use would be sent now.
 */
export function serviceToPrice(db: Db, batchId: string, inUse: ServiceId | null): ServiceId | null {
  const services = guardedServices(db, batchId)
  const target = findBatch(db, batchId)?.boundTo ?? inUse
  return services.find((serviceId) => serviceId === target) ?? services[0] ?? null
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

export function startOfDay(nowMs: number): number {
  const day = new Date(nowMs)
  return day.setHours(0, 0, 0, 0)
}

export function startOfMonth(nowMs: number): number {
  const first = new Date(nowMs)
  first.setDate(1)
  return startOfDay(first.getTime())
}
