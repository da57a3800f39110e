import type { PaidKey } from '../../shared/recipe.ts'
import { spendGroups, affordPlan, type AffordQuestion, type SpendGroup } from './spend-guard.ts'

/** A price of one picture, as the service gave it for the full pipeline. */
export interface PicturePrice {
  question: AffordQuestion
  credits: number
}

/**
 * What may be sent after credits had run short: pictures as long as the balance covers their known prices. For another
 * operation than the full pipeline the price is an upper bound, so one such picture is let through all the same as long as
 * anything is left: the service's answer to it, a refusal of which is free, tells more than the price. Mutable; `copy` to try.
 */
export class Purse {
  #left: number
  #hasTrial: boolean
  readonly #prices: ReadonlyMap<string, number>

  private constructor(left: number, prices: ReadonlyMap<string, number>, hasTrial: boolean) {
    this.#left = left
    this.#prices = prices
    this.#hasTrial = hasTrial
  }

  static of(balance: number, prices: readonly PicturePrice[]): Purse {
    return new Purse(balance, new Map(prices.map(({ question, credits }) => [nameOf(question), credits])), true)
  }

  /** What is left of the balance, as far as is known here. */
  get left(): number {
    return this.#left
  }

  copy(): Purse {
    return new Purse(this.#left, this.#prices, this.#hasTrial)
  }

  /** Whether the price of a group is known. One that is not known is not covered: it is asked about first. */
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

  /** Credits that lack for one of a group; 0 when its price is not known. */
  missingFor(group: SpendGroup): number {
    return Math.max(0, (this.#priceOf(group) ?? 0) - this.#left)
  }

  /** Nothing is let through any more that costs more than is left. */
  tryNothing(): void {
    this.#hasTrial = false
  }

  #priceOf(group: SpendGroup): number | null {
    const [question] = priceQuestions([group])
    return question === undefined ? null : (this.#prices.get(nameOf(question)) ?? null)
  }
}

/** What is asked to know the price of one picture of each group. */
export function priceQuestions(groups: readonly SpendGroup[]): AffordQuestion[] {
  const { questions } = affordPlan(groups.map((group) => ({ ...group, images: 1 })))
  return questions.map(({ question }) => ({ ...question, images: 1 }))
}

const nameOf = ({ languages, format }: AffordQuestion) => `${languages} ${format}`

/** The group of one picture. The format of a key that names none does not change the price. */
export const groupOfKey = (paidKey: PaidKey): SpendGroup => spendGroups([paidKey], 'webp')[0]!
