import { straightText } from './straight-text.ts'

/** Texts of chargers are at most 500 characters; whatever is longer is compared by its beginning. */
const MAX_CHARS = 500

/** Letters that are no letter with an accent, and so do not come apart under NFKD. */
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
}
const GERMAN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/**
 * What two spellings of a text have in common: lower case, no accents, words of letters, digits and plus signs with one
 * space between them. Empty for what holds none of these, and for what is no text.
 */
export function fold(text: string | null | undefined): string {
  if (typeof text !== 'string') return ''
  const short = text.slice(0, MAX_CHARS)
  // Most texts are plain, and for those the quick way gives the same.
  if (isAscii(short))
    return short
      .toLowerCase()
      .replace(/[^a-z0-9+]+/g, ' ')
      .trim()
  return withoutAccents(short)
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim()
}

/** The folded text, and after it the same with German and Nordic letters written out ("koln koeln"), if that differs. */
export function foldBothWays(text: string | null | undefined, folded = fold(text)): string {
  if (typeof text !== 'string' || isAscii(text)) return folded
  const composed = text.slice(0, MAX_CHARS).normalize('NFC').toLowerCase()
  const german = fold(composed.replace(/[äöüåø]/g, (letter) => GERMAN[letter] ?? letter))
  return german === folded ? folded : `${folded} ${german}`
}

/** Equal for "CCS2", "ccs 2" and "CCS-2". A text without letters and digits is its own key; null when there is no text. */
export function facetKey(text: string | null | undefined): string | null {
  if (typeof text !== 'string') return null
  const key = fold(text).replaceAll(' ', '')
  return key === '' ? text.slice(0, MAX_CHARS).trim() || null : key
}

function withoutAccents(text: string): string {
  return straightText(text)
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => WRITTEN_OUT[letter] ?? letter)
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}
