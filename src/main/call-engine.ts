import { AppError } from '../shared/errors.ts'
import type { Channel, EnginePort, RequestOf, ResponseOf } from '../shared/contract.ts'

/** A call of the engine whose failure ends the command: throws it as an `AppError`. */
export async function callEngine<Name extends Channel>(
  engine: Pick<EnginePort, 'call'>,
  channel: Name,
  request: RequestOf<Name>,
): Promise<ResponseOf<Name>> {
  const result = await engine.call(channel, request)
  if (!result.ok) throw new AppError(result.error.code, result.error.message)
  return result.value
}
