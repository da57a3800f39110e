import { LATIN_LETTERS } from '../text/latin-letters.ts'

/** Texts of chargers are at most 500 characters; only the beginning of a longer one is compared. */
const MAX_CHARS = 500

const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', đ: 'dj' }

/** Lower case, no accents, words of letters, digits and plus signs separated by one space; empty for a text without any. */
export function fold(text: string | null | undefined): string {
  return (typeof text === 'string' ? text : '')
    .slice(0, MAX_CHARS)
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LATIN_LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim()
}

/**
 * The folded text, and other common spellings: with German, Nordic and South Slavic letters written out ("koln koeln"), and with words
 * across an apostrophe joined ("st john s st johns").
 */
export function foldBothWays(text: string | null | undefined): string {
  const written = text?.slice(0, MAX_CHARS).normalize('NFC').toLowerCase() ?? ''
  const ways = [written, written.replace(/['’‘ʼ`´]/g, '')].flatMap((way) => [
    fold(way),
    fold(way.replace(/[äöüåøđ]/g, (letter) => WRITTEN_OUT[letter] ?? letter)),
  ])
  return [...new Set(ways)].join(' ')
}

export const joined = (folded: string) => folded.replaceAll(' ', '')

/** The spellings of a folded code that people type: "edxx 12" and "edxx12". */
export const codeWords = (code: string) => (code.includes(' ') ? `${code} ${joined(code)}` : code)

/** Equal for "CCS2", "ccs 2" and "CCS-2". A text without letters and digits is its own key; null when there is no text. */
export function facetKey(text: string | null | undefined): string | null {
  if (typeof text !== 'string') return null
  return joined(fold(text)) || text.slice(0, MAX_CHARS).trim() || null
}
