import { z } from 'zod'

/** Most pictures whose charge may be unseen: twice as many as are sent at once, so that the question costs little of the rate. */
const MOST_UNSEEN = 8

/** What the service's balance has shown since the first picture of a run with `--max-credits`. */
export const CreditMeter = z.object({
  accountId: z.string(),
  balance: z.number(),
  /** The highest price stated for one picture. */
  perImage: z.number(),
  /** The last dispatch of this computer before the first answer; only later ones can have caused a fall. */
  afterDispatch: z.number(),
  /** The run's pictures that were sent before the first answer. */
  sentBefore: z.number(),
  /** The run's pictures whose charge the last answer must show: their dispatch had ended before it was asked for. */
  seen: z.number(),
  /** Those whose charge it may show: their dispatch had begun when it came. */
  begun: z.number(),
  /** The same for all pictures that this computer sent to the service since the first answer, whichever run they belong to. */
  begunOfAll: z.number(),
  /** The sum of all falls. */
  fell: z.number(),
})
export type CreditMeter = z.infer<typeof CreditMeter>

/** An answer of `GET /credits/afford` for one picture, what had been sent when it was asked for, and what had begun when it came. */
export interface MeterReading {
  accountId: string
  balance: number
  perImage: number
  seen: number
  begun: number
  begunOfAll: number
  lastDispatch: number
}

/** Zero, a negative number and infinity are no price: nothing can be counted with them. */
export const isPrice = (credits: number): boolean => credits > 0 && Number.isFinite(credits)

/**
 * The meter after another answer. A fall counts in full. Where the balance rose, credits were bought, which hides what was
 * charged meanwhile: the pictures sent since then count at the highest price known. Another account has another balance.
 */
export function readMeter(meter: CreditMeter | null, reading: MeterReading): CreditMeter {
  const { accountId, balance, perImage, seen, begun, begunOfAll, lastDispatch } = reading
  if (meter === null) {
    const start = { afterDispatch: lastDispatch, sentBefore: seen, begunOfAll: 0, fell: 0 }
    return { accountId, balance, perImage, seen, begun, ...start }
  }
  const highest = Math.max(meter.perImage, perImage)
  const hidden = balance > meter.balance || accountId !== meter.accountId
  const change = hidden
    ? (begunOfAll - meter.begunOfAll) * Math.max(highest, measuredPrice(meter))
    : meter.balance - balance
  // Nothing of this computer was sent yet, so the fall is not of this run.
  const fell = begunOfAll === 0 ? 0 : meter.fell + Math.max(0, change)
  return { ...meter, accountId, balance, perImage: highest, seen, begun, begunOfAll, fell }
}

/** What the falls say that the run's pictures have cost; falls are shared equally by the pictures of all runs. */
const measuredCost = (meter: CreditMeter): number => measuredPrice(meter) * (meter.begun - meter.sentBefore)

const measuredPrice = ({ fell, begunOfAll }: CreditMeter): number => (begunOfAll === 0 ? 0 : fell / begunOfAll)

interface MeteredSpend {
  /**
   * An upper bound of what the run has spent. What was sent and not yet seen counts at the price measured or stated, although the fall
   * may show it already: it is too high until the balance is asked for again.
   */
  credits: number
  /** The price to expect of the next picture. */
  perImage: number
  /** Set where the balance fell by more than the stated price explains. */
  fell: { credits: number; pictures: number } | null
}

/** `sent`: the run's pictures that may have been charged. */
export function meteredSpend(meter: CreditMeter, sent: number): MeteredSpend {
  const measured = measuredCost(meter)
  const pictures = meter.begun - meter.sentBefore
  const perImage = Math.max(meter.perImage, measuredPrice(meter))
  const counted = meter.sentBefore * meter.perImage + measured + Math.max(0, sent - meter.seen) * perImage
  return {
    credits: Math.max(sent * meter.perImage, counted),
    perImage,
    fell: measured > pictures * meter.perImage ? { credits: measured, pictures } : null,
  }
}

/**
 * Whether the balance has to be asked for before another picture is sent. The first picture goes alone, then one more may be unseen
 * than were seen: a false price shows before it has cost much.
 */
export function isMeterDue(meter: CreditMeter | null, sent: number): boolean {
  return meter === null || sent - meter.seen >= Math.min(MOST_UNSEEN, meter.seen - meter.sentBefore + 1)
}
