import { z } from 'zod'
import { invalidAnswer, type Answer, type Errors } from './gate.ts'

/** A whole number within bounds, as a parameter has it. */
export const whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'Give a whole number.')
    .transform(Number)
    .pipe(z.number().min(least).max(most))

/** What is wrong with each field, by the path of its name. */
export function errorsOf({ issues }: z.ZodError): Errors {
  const errors: Errors = {}
  for (const { path, message } of issues) {
    const name = path.join('.')
    errors[name] = [...(errors[name] ?? []), `The ${name} field is not acceptable. ${message}`]
  }
  return errors
}

/** Answers by the parameters of a query: of a repeated one the last counts, and an empty one is an absent one. */
export function byQuery<Shape extends z.ZodObject>(
  query: unknown,
  shape: Shape,
  answer: (given: z.infer<Shape>) => Answer,
): Answer {
  const last = Object.entries(query as object).map(([name, value]) => [name, [value].flat().at(-1) as unknown])
  const { success, data, error } = shape.safeParse(Object.fromEntries(last.filter(([, value]) => value !== '')))
  return success ? answer(data) : invalidAnswer(errorsOf(error))
}
