import type { PaidKey } from '../../shared/recipes/recipe.ts'
import { spendGroups, affordPlan, type AffordQuestion, type SpendGroup } from './spend-guard.ts'

/** The service's price for one picture in the full pipeline. */
export interface PicturePrice {
  question: AffordQuestion
  credits: number
}

/**
 * What may be sent after credits had run short: pictures whose known prices the balance covers. Other prices than the full pipeline's are
 * upper bounds, so one such picture is let through while any credits are left: refused, it is free. Mutable; `copy` to try something out.
 */
export class CreditBudget {
  #left: number
  #hasTrial: boolean
  readonly #prices: ReadonlyMap<string, number>

  private constructor(left: number, prices: ReadonlyMap<string, number>, hasTrial: boolean) {
    this.#left = left
    this.#prices = prices
    this.#hasTrial = hasTrial
  }

  static of(balance: number, prices: readonly PicturePrice[]): CreditBudget {
    // A price below 0 must not add to what is left.
    const known = prices.map(({ question, credits }) => [nameOf(question), Math.max(0, credits)] as const)
    return new CreditBudget(balance, new Map(known), true)
  }

  /** What is left of the balance, by the known prices. */
  get left(): number {
    return this.#left
  }

  copy(): CreditBudget {
    return new CreditBudget(this.#left, this.#prices, this.#hasTrial)
  }

  /** Whether the price of a group is known. An unknown price is not covered: it is requested first. */
  knows(group: SpendGroup): boolean {
    return this.#priceOf(group) !== null
  }

  covers(group: SpendGroup): boolean {
    const price = this.#priceOf(group)
    if (price === null) return false
    return price <= this.#left || (this.#hasTrial && this.#left > 0 && group.operation !== 'process')
  }

  spend(group: SpendGroup): void {
    const price = this.#priceOf(group) ?? 0
    if (price > this.#left) this.#hasTrial = false
    this.#left = Math.max(0, this.#left - price)
  }

  /** Credits lacking for one picture of a group; 0 if its price is unknown. */
  missingFor(group: SpendGroup): number {
    return Math.max(0, (this.#priceOf(group) ?? 0) - this.#left)
  }

  /** From now on nothing is let through that costs more than is left. */
  tryNothing(): void {
    this.#hasTrial = false
  }

  #priceOf(group: SpendGroup): number | null {
    const [question] = priceQuestions([group])
    return question === undefined ? null : (this.#prices.get(nameOf(question)) ?? null)
  }
}

/** The questions that give the price of one picture of each group. */
export function priceQuestions(groups: readonly SpendGroup[]): AffordQuestion[] {
  const { questions } = affordPlan(groups.map((group) => ({ ...group, images: 1 })))
  return questions.map(({ question }) => ({ ...question, images: 1 }))
}

const nameOf = ({ languages, format }: AffordQuestion) => `${languages} ${format}`

/** The group of one picture. If the key names no format, the format does not affect the price. */
export const groupOfKey = (paidKey: PaidKey): SpendGroup => spendGroups([paidKey], 'webp')[0]!
