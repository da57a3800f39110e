/** Creating a formatter costs far more than using it. */
const formats = new Map<string, Intl.ListFormat>()

/** "a, b, c" as the language (BCP 47) writes it; a `conjunction` has an "and" in every language. */
export function listText(items: readonly string[], language: string, type: 'unit' | 'conjunction' = 'unit'): string {
  const key = `${type} ${language}`
  let format = formats.get(key)
  if (format === undefined) formats.set(key, (format = new Intl.ListFormat(language, { type })))
  return format.format(items)
}
