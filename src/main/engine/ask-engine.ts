import type { Result } from '../../shared/contract/call.ts'
import { CALLS, type EngineCall } from '../../shared/contract/calls.ts'
import type { EngineCalls, EnginePort } from '../../shared/contract/engine-port.ts'
import { fromShape } from '../../shared/sentences/errors.ts'

/** The engine's calls as functions. */
export function askThrough(call: EnginePort['call']): EngineCalls {
  const areas: Record<string, Record<string, (request?: object) => unknown>> = {}
  for (const [name, { by }] of Object.entries(CALLS)) {
    if (by !== 'engine' && by !== 'both') continue
    const [area = '', ...verb] = name.split('.')
    ;(areas[area] ??= {})[verb.join('.')] = (request = {}) => call(name as EngineCall, request as never)
  }
  return areas as unknown as EngineCalls
}

/** The value of a result; throws its failure as an `AppError`. */
export async function orThrow<Value>(asked: Promise<Result<Value>>): Promise<Value> {
  const result = await asked
  if (!result.ok) throw fromShape(result.error)
  return result.value
}
