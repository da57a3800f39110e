/** Query parameters as Fastify parses them: a repeated one is an array. */
export type Query = Record<string, unknown>

export type Errors = Record<string, string[]>

function lastText(value: unknown): string | undefined {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value
  return typeof last === 'string' && last !== '' ? last : undefined
}

/** A whole number within bounds, or its default when absent or empty; otherwise notes an error and returns NaN. */
export function wholeNumber(
  query: Query,
  name: string,
  rule: { min: number; max: number; otherwise: number | null },
  errors: Errors,
): number {
  const text = lastText(query[name])
  if (text === undefined) {
    if (rule.otherwise !== null) return rule.otherwise
    errors[name] = [`The ${name} field is required.`]
    return NaN
  }
  const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : NaN
  if (value >= rule.min && value <= rule.max) return value
  const upTo = rule.max === Number.MAX_SAFE_INTEGER ? `at least ${rule.min}` : `from ${rule.min} to ${rule.max}`
  errors[name] = [`The ${name} field must be a whole number ${upTo}.`]
  return NaN
}

/** A text of at most `maxChars` characters, or null when absent or empty; notes an error when longer. */
export function shortText(query: Query, name: string, maxChars: number, errors: Errors): string | null {
  const text = lastText(query[name])
  if (text === undefined) return null
  if ([...text].length > maxChars) errors[name] = [`The ${name} field must not be longer than ${maxChars} characters.`]
  return text
}

/** One of a few values, or the first when absent or empty; notes an error for any other. */
export function oneOf<Value extends string>(
  query: Query,
  name: string,
  values: readonly [Value, ...Value[]],
  errors: Errors,
): Value {
  const text = lastText(query[name])
  if (text === undefined) return values[0]
  const found = values.find((value) => value === text)
  if (found === undefined) errors[name] = [`The ${name} field must be one of: ${values.join(', ')}.`]
  return found ?? values[0]
}
