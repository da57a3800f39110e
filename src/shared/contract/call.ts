import { z } from 'zod'
import { fromShape, type AppErrorShape } from '../sentences/errors.ts'

/** One call of the contract. */
interface Call {
  /**
   * `engine`: this user's own processes, and the engine answers. `both`: a page as well. `page`: only a page; `src/main/page` answers.
   * `browser`: only a page of the web shell, which answers.
   */
  by: 'engine' | 'both' | 'page' | 'browser'
  /** The call may change which service is in use, or why it is held. */
  changesService?: true
  request: z.ZodType
  response: z.ZodType
}
export type Calls = Record<string, Call>

/** A failure is a value: nothing crosses the boundary as an exception. */
export type Result<Value> = { ok: true; value: Value } | { ok: false; error: AppErrorShape }

/** The value of a result; throws its failure as an `AppError`. */
export async function orThrow<Value>(asked: Promise<Result<Value>>): Promise<Value> {
  const result = await asked
  if (!result.ok) throw fromShape(result.error)
  return result.value
}

export const nothing = z.object({})
export const ids = z.array(z.string().min(1).max(40)).max(100_000)
/** How many jobs or batches a command applied to. */
export const Changed = z.object({ changed: z.number() })
