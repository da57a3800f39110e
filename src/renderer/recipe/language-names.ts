import i18next from 'i18next'
import type { Language } from '../../shared/recipes/language.ts'

/** ISO 639-1, lower case. */
const CODE = /^[a-z]{2}$/

/** The name of a language in another, by default that of the window, else the service's name for it, else the code. */
export function languageName(code: string, listed: readonly Language[] = [], inLanguage = i18next.language): string {
  let known: string | undefined
  try {
    known = new Intl.DisplayNames(inLanguage, { type: 'language', fallback: 'none' }).of(code)
  } catch {
    // Not a well-formed language code.
  }
  return known ?? listed.find((language) => language.code === code)?.name ?? code
}

interface LanguageChoice {
  code: string
  name: string
  /** In the language itself, as the service gives it. */
  nativeName: string
}

/** By name; matches at the beginning come first. Codes that a recipe cannot have are left out. */
export function matchingLanguages(
  listed: readonly Language[],
  typed: string,
  inLanguage = i18next.language,
): LanguageChoice[] {
  const wanted = typed.trim().toLocaleLowerCase()
  const order = new Intl.Collator(inLanguage)
  const rank = (choice: LanguageChoice) => {
    const words = [choice.code, choice.name, choice.nativeName].map((word) => word.toLocaleLowerCase())
    if (words[0] === wanted) return 0
    if (words.some((word) => word.startsWith(wanted))) return 1
    return words.some((word) => word.includes(wanted)) ? 2 : 3
  }
  return listed
    .filter(({ code }) => CODE.test(code))
    .map(({ code, nativeName }) => ({ code, name: languageName(code, listed, inLanguage), nativeName }))
    .filter((choice) => rank(choice) < 3)
    .sort((one, other) => rank(one) - rank(other) || order.compare(one.name, other.name))
}

/** The typed code if it is valid, else null. */
export function typedCode(typed: string): string | null {
  const code = typed.trim().toLowerCase()
  return CODE.test(code) ? code : null
}

/** The chosen ones that the service does not list; none until its list is known. */
export function unlistedLanguages(chosen: readonly string[], listed: readonly Language[] | null): string[] {
  if (listed === null || listed.length === 0) return []
  return chosen.filter((code) => listed.every((language) => language.code.toLowerCase() !== code))
}
