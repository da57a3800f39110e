import type { Translation } from '../../shared/jobs/job.ts'

/**
 * Of the texts that a service gave, the one for each language that was asked for, in that order: the first that has exactly this
 * language, else the first of a variant of it (`en-GB` for `en`). The rest is left out, however much it is.
 */
export function wantedTexts(texts: readonly Translation[], languages: readonly string[]): Translation[] {
  const exact = new Map<string, Translation>()
  const variants = new Map<string, Translation>()
  for (const text of texts) {
    const code = text.languageCode.trim().toLowerCase()
    const base = code.split(/[-_]/)[0] ?? ''
    if (!exact.has(code)) exact.set(code, text)
    if (!variants.has(base)) variants.set(base, text)
  }
  return [...new Set(languages)].flatMap((languageCode) => {
    const text = exact.get(languageCode) ?? variants.get(languageCode)
    return text === undefined ? [] : [{ ...text, languageCode }]
  })
}
