/** Settings, or some of them. */
export type Members = Readonly<Record<string, unknown>>
/** Alternatives with members of their own. */
const WHOLE = new Set(['output', 'project'])

function isGroup(name: string, value: unknown): value is Members {
  return !WHOLE.has(name) && typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Members that are absent stay as they are, at every level; lists and alternatives are replaced as a whole. */
export function merged<Value extends object>(now: Value, given: object): Value {
  const members = now as Members
  const replaced = Object.entries(given as Members).map(([name, value]): [string, unknown] => {
    const before = members[name]
    return [name, isGroup(name, before) && isGroup(name, value) ? merged(before, value) : value]
  })
  return { ...now, ...(Object.fromEntries(replaced) as Partial<Value>) }
}

/** Every value by the path of its member. */
export function namedValues(members: object, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(members as Members).flatMap(([name, value]): [string, unknown][] =>
      isGroup(name, value) ? [...namedValues(value, `${prefix}${name}.`)] : [[prefix + name, value]],
    ),
  )
}
