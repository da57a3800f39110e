import { asciiLatin } from '../shared/text/latin-letters.ts'

/** How German and the Nordic languages write their letters without marks. */
const BY_LANGUAGE: Record<string, Record<string, string>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue' },
  da: { ø: 'oe', å: 'aa' },
}

const transliterate = (word: string, language: string): string =>
  asciiLatin(
    word
      .normalize('NFC')
      .toLowerCase()
      .replace(/[äöüøå]/g, (letter) => BY_LANGUAGE[language]?.[letter] ?? letter),
  )

/** Words joined by hyphens, in lower case, with Latin letters stripped of marks; other scripts stay as they are. */
export function slug(words: string[], language: string, maxChars = 80): string {
  const parts = words
    .flatMap((word) => transliterate(word, language).split(/[^\p{L}\p{N}\p{M}]+/u))
    .filter((part) => part !== '')
  let result = ''
  for (const part of parts) {
    const longer = result === '' ? part : `${result}-${part}`
    if ([...longer].length > maxChars) break
    result = longer
  }
  return result === '' ? [...(parts[0] ?? 'picture')].slice(0, maxChars).join('') : result
}
