import { LATIN_LETTERS } from '../shared/text/latin-letters.ts'

/** How German and the Nordic languages write their letters without marks. */
const BY_LANGUAGE: Record<string, Record<string, string>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue' },
  da: { ø: 'oe', å: 'aa' },
}

const MARKS = /\p{M}/gu

function transliterate(word: string, language: string): string {
  const own = BY_LANGUAGE[language]
  let out = ''
  for (const letter of word.normalize('NFC').toLowerCase()) {
    const plain = own?.[letter] ?? LATIN_LETTERS[letter]
    if (plain !== undefined) out += plain
    // Only Latin letters lose their marks: in other scripts a mark can be part of the letter.
    else out += /\p{Script=Latin}/u.test(letter) ? letter.normalize('NFD').replace(MARKS, '') : letter
  }
  return out
}

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
