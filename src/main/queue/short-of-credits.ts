import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { groupOfKey, type CreditBudget } from '../core/credit-budget.ts'
import { spendGroups, type SpendGroup } from '../core/spend-guard.ts'
import type { Db } from '../journal/journal.ts'
import { paidKeysIn } from '../journal/spending.ts'

/** Pictures of a service that need credits, grouped as prices are requested. */
export interface CreditsWanted {
  held: SpendGroup[]
  ready: SpendGroup[]
  /** Being sent: what they cost may not be in the balance yet. */
  sending: SpendGroup[]
}

export function creditsWanted(db: Db, serviceId: ServiceId): CreditsWanted {
  return {
    held: spendGroups(paidKeysIn(db, serviceId, 'short'), 'webp'),
    ready: spendGroups(paidKeysIn(db, serviceId, 'ready'), 'webp'),
    sending: spendGroups(paidKeysIn(db, serviceId, 'sending'), 'webp'),
  }
}

/** The remaining credits minus what ready jobs will cost. */
export function lessReady(db: Db, serviceId: ServiceId, budget: CreditBudget): CreditBudget {
  const left = budget.copy()
  for (const paidKey of paidKeysIn(db, serviceId, 'ready')) left.spend(groupOfKey(paidKey))
  return left
}
