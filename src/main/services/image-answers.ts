import { z } from 'zod'
import { Language } from '../../shared/recipes/language.ts'
import type { Affordability } from '../../shared/contract/credits.ts'
import type { JobStart } from '../core/image-service.ts'
import { RemoteId } from './read-job.ts'

/**
 * The image service's answers except for the job (read-job.ts). Required members must be as documented, or the answer
 * counts as malformed; unknown members are ignored.
 */

const optionalText = z.string().nullable().catch(null)

export const JobStartAnswer = z
  .object({ data: z.object({ job_id: RemoteId, status: optionalText, message: optionalText }) })
  .transform(({ data }): JobStart => ({ jobId: data.job_id, status: data.status, message: data.message }))

/** Beyond it no sum is exact, and no account has as many. */
const mostCredits = z.number().max(Number.MAX_SAFE_INTEGER)
const credits = mostCredits.min(0)

export const BalanceAnswer = z.object({ data: z.object({ balance: credits }) }).transform(({ data }) => data.balance)

export const AffordAnswer = z
  .object({
    data: z.object({ can_afford: z.boolean(), required: credits, balance: credits, shortfall: mostCredits }),
  })
  .transform(({ data: { can_afford, ...figures } }): Affordability => ({ canAfford: can_afford, ...figures }))

/** Null for an unusable entry: one without a code or a name. */
const WireLanguage = z
  .object({ code: z.string(), name: z.string(), native_name: optionalText })
  .transform(({ code, name, native_name }) => ({ code, name, nativeName: native_name ?? name }))
  .pipe(Language)
  .nullable()
  .catch(null)

export const LanguagesAnswer = z
  .object({ data: z.array(WireLanguage) })
  .transform(({ data }): Language[] => data.filter((language) => language !== null))
