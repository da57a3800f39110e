import { AppError } from '../../../shared/errors.ts'
import { say } from '../../../shared/sentence.ts'

/** Throws `not_found` for null. */
export function found<Value>(value: Value | null, id: string): Value {
  if (value === null) throw new AppError('not_found', say('id_unknown', { id }))
  return value
}

type Defined<Shape> = { [Key in keyof Shape]: Exclude<Shape[Key], undefined> }

/** Leaves out members that are undefined, which mean "not given". */
export function withoutUndefined<Shape extends object>(shape: Shape): Defined<Shape> {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Defined<Shape>
}
