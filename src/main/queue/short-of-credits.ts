import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { groupOfKey, type CreditBudget } from '../core/credit-budget.ts'
import { spendGroups, type SpendGroup } from '../core/spend-guard.ts'
import { type Db, prepared } from '../journal/journal.ts'

/** Pictures of a service that need credits, grouped as prices are requested. */
export interface CreditsWanted {
  /** Held for credits. */
  held: SpendGroup[]
  ready: SpendGroup[]
  /** Being sent: what they cost may not be in the balance yet. */
  sending: SpendGroup[]
}

export function creditsWanted(db: Db, serviceId: ServiceId): CreditsWanted {
  return {
    held: spendGroups(keysIn(db, serviceId, `state = 'held' AND reason = 'credits_short'`), 'webp'),
    ready: spendGroups(keysIn(db, serviceId, `state = 'ready'`), 'webp'),
    sending: spendGroups(keysIn(db, serviceId, `state = 'sending'`), 'webp'),
  }
}

/** The remaining credits minus what ready jobs will cost. */
export function lessReady(db: Db, serviceId: ServiceId, budget: CreditBudget): CreditBudget {
  const left = budget.copy()
  for (const paidKey of keysIn(db, serviceId, `state = 'ready'`)) left.spend(groupOfKey(paidKey))
  return left
}

function keysIn(db: Db, serviceId: ServiceId, where: string): string[] {
  const sql = `SELECT DISTINCT paid_key FROM jobs WHERE ${where} AND service_id = ? AND paid_key IS NOT NULL`
  return prepared<[string], string>(db, sql).pluck(true).all(serviceId)
}
