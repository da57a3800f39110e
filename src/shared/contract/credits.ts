import { z } from 'zod'
import { Language } from '../recipes/language.ts'
import { ConvertFormat } from '../recipes/recipe.ts'
import { nothing, type Calls } from './call.ts'

export const Affordability = z.object({
  canAfford: z.boolean(),
  required: z.number(),
  balance: z.number(),
  shortfall: z.number(),
})
export type Affordability = z.infer<typeof Affordability>

/** One past day, in this computer's time zone: the pictures sent, and what the balance fell by; null if it was not asked for. */
const SpendDay = z.object({ day: z.string(), sent: z.number().int(), credits: z.number().nullable() })

export const CreditHistory = z.object({
  /** The requested range: from the start of the first day until now. */
  fromMs: z.number(),
  untilMs: z.number(),
  /** The service's answers, oldest first, with the last one before `fromMs`; of equal ones in a row only the first and the last. */
  balances: z.array(z.object({ atMs: z.number(), credits: z.number() })),
  days: z.array(SpendDay),
  /** Credits per day over the last seven days, whatever the range; null before a week is known. */
  perDay: z.number().nullable(),
  sentToday: z.number().int(),
  sentThisMonth: z.number().int(),
  /** What all computers of the account sent; null without a team ledger, or until it was reached. */
  team: z.object({ sentToday: z.number().int(), sentThisMonth: z.number().int() }).nullable(),
})
export type CreditHistory = z.infer<typeof CreditHistory>

export const creditCalls = {
  'credits.balance': {
    by: 'both',
    changesService: true,
    request: nothing,
    response: z.object({ balance: z.number() }),
  },
  'credits.afford': {
    by: 'both',
    request: z.object({
      images: z.number().int().min(1).max(1_000_000),
      languages: z.number().int().min(1).max(10),
      format: ConvertFormat,
    }),
    response: Affordability,
  },
  'credits.history': {
    by: 'both',
    request: z.object({ days: z.number().int().min(1).max(366) }),
    response: CreditHistory,
  },
  'languages.list': { by: 'both', request: nothing, response: z.object({ languages: z.array(Language) }) },
} as const satisfies Calls
