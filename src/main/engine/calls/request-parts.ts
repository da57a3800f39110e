import { AppError } from '../../../shared/errors.ts'
import { say } from '../../../shared/sentence.ts'

/** Throws `not_found` for null. */
export function found<Value>(value: Value | null, id: string): Value {
  if (value === null) throw new AppError('not_found', say('id_unknown', { id }))
  return value
}
