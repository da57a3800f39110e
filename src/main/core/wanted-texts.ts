import type { Translation } from '../../shared/jobs/job.ts'

/** For each language that was asked for, in that order, the first text in it, else in a variant of it (`en-GB` for `en`). */
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
