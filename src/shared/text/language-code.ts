/** As long as sidecars and the journal have room for. */
const MAX_CODE_CHARS = 20
/** Made when it is first needed, because that takes 10 ms. */
let names: Intl.DisplayNames | null = null
const NO_LANGUAGE = new Set(['mis', 'mul', 'und', 'zxx'])

/**
 * The code under which a person's text in any language of BCP 47 is kept, in lower case; null for what is none. Two letters have to be a
 * language, since country codes (`jp`) are taken for one; what has a code of two letters is called by that (`deu`).
 */
export function languageCodeOf(text: string): string | null {
  const code = text.trim().replaceAll('_', '-')
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(code)
    const { language, baseName } = new Intl.Locale(canonical)
    const isKnown = language.length === 3 ? !NO_LANGUAGE.has(language) : names.of(language) !== undefined
    if (baseName !== canonical || language.length > 3 || !isKnown) return null
    const known = language.length < code.split('-')[0]!.length ? canonical : code
    return known.length > MAX_CODE_CHARS ? null : known.toLowerCase()
  } catch {
    return null
  }
}
