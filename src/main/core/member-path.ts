const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/
const MAX_NAME_CHARS = 100

/** `folders[0].recipe["odd name"]` */
export function memberPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`
      const name = String(part)
      if (!PLAIN_NAME.test(name) || name.length > MAX_NAME_CHARS)
        return `[${JSON.stringify(name.slice(0, MAX_NAME_CHARS))}]`
      return at === 0 ? name : `.${name}`
    })
    .join('')
}
