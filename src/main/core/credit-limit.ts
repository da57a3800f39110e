import { z } from 'zod'

/*
 * A limit in credits is a limit on the balance: there is no list of charges, a stated price may be wrong, and a refusal may have been
 * charged. Between two looks at the balance at most `MAX_UNSEEN` pictures are sent, which is all that can be taken beyond the limit.
 */

/** Pictures of a limited run whose charge the last look at the balance may not show. */
export const MAX_UNSEEN = 4

/** What the balance has shown since the first look of a run with `--max-credits`. */
export const CreditMeter = z.object({
  accountId: z.string(),
  balance: z.number(),
  /** The highest price stated for one picture. */
  price: z.number(),
  /** The sum of all falls. */
  fell: z.number(),
  /** The run's pictures that could cost nothing more when the balance was last asked for: refused, or their job had ended. */
  seen: z.number(),
})
export type CreditMeter = z.infer<typeof CreditMeter>

/** Zero, a negative number and infinity are no price: nothing can be counted with them. */
export const isPrice = (credits: number): boolean => credits > 0 && Number.isFinite(credits)

/** After another look. Every fall counts. A rise, or another account, hides charges, which are then counted at the highest price known. */
export function readMeter(meter: CreditMeter | null, look: Omit<CreditMeter, 'fell'>): CreditMeter {
  if (meter === null) return { ...look, fell: 0 }
  const price = Math.max(meter.price, look.price)
  const isHidden = look.balance > meter.balance || look.accountId !== meter.accountId
  const hidden = Math.max(0, look.seen - meter.seen) * Math.max(price, measuredPrice(meter))
  return { ...look, price, fell: meter.fell + (isHidden ? hidden : meter.balance - look.balance) }
}

const measuredPrice = ({ fell, seen }: CreditMeter): number => (seen <= 0 ? 0 : fell / seen)

/** The pictures of a run that were sent, or may have been; `ended`: those that can cost nothing more. */
interface RunDispatches {
  sent: number
  ended: number
}

interface LimitVerdict {
  /** `ask`: after a look at the balance. `wait`: until something sent has ended. */
  kind: 'send' | 'ask' | 'wait' | 'hold'
  /** An upper bound of what the run has spent, by the balance and by the stated price. */
  credits: number
  /** What the next picture may cost. */
  perImage: number
}

/** **The rule.** Whether another picture of a run may be sent within `limit` credits; `price`: the stated one, above 0. */
export function withinLimit(
  meter: CreditMeter | null,
  { sent, ended }: RunDispatches,
  limit: number,
  price: number,
): LimitVerdict {
  if (meter === null) {
    const credits = sent * price
    return { kind: credits + price <= limit ? 'ask' : 'hold', credits, perImage: price }
  }
  const perImage = Math.max(meter.price, measuredPrice(meter))
  const unseen = Math.max(0, sent - meter.seen)
  const credits = Math.max(sent * meter.price, meter.fell + unseen * perImage)
  const verdict = (kind: LimitVerdict['kind']): LimitVerdict => ({ kind, credits, perImage })
  if ((sent + 1) * meter.price > limit) return verdict('hold')
  // The first goes alone, so that a false price shows before it costs much.
  const mostUnseen = Math.min(MAX_UNSEEN, Math.max(0, meter.seen) + 1)
  if (credits + perImage <= limit && unseen < mostUnseen) return verdict('send')
  // What the last look did not show is an estimate, and nothing is held because of one.
  if (unseen === 0) return verdict('hold')
  // A look is worth its call when it shows half of them.
  return verdict((ended - meter.seen) * 2 >= unseen ? 'ask' : 'wait')
}

/** What a service's balance was when it was asked for, and how many of the accepted pictures could cost nothing more by then. */
export interface BalanceLook {
  balance: number
  ended: number
}

/** By how much the balance fell between two looks beyond what accepted pictures explain: what was refused in between was charged. */
export function unexplainedFall(before: BalanceLook, balance: number, accepted: number, price: number): number {
  return Math.max(0, before.balance - balance - Math.max(0, accepted - before.ended) * price)
}

/** Equal refusals in a row after which the batch is held: they are about the account, not about one picture. */
export const MAX_EQUAL_REFUSALS = 10
