import { LATIN_LETTERS } from '../text/latin-letters.ts'
import { straightText } from '../text/safe-characters.ts'

/** Texts of chargers are at most 500 characters; only the beginning of a longer one is compared. */
const MAX_CHARS = 500

const GERMAN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', đ: 'dj' }

/**
 * Normalises spelling for comparison: lower case, no accents, words of letters, digits and plus signs separated by one space.
 * Empty for a text without any of these, and for null.
 */
export function fold(text: string | null | undefined): string {
  if (typeof text !== 'string') return ''
  const short = text.slice(0, MAX_CHARS)
  // Most texts are ASCII, for which the fast path gives the same result.
  if (isAscii(short))
    return short
      .toLowerCase()
      .replace(/[^a-z0-9+]+/g, ' ')
      .trim()
  return withoutAccents(short)
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim()
}

const APOSTROPHES = /['’‘ʼ`´]/g

/**
 * The folded text, followed by other common spellings where they differ: with German, Nordic and South Slavic letters written
 * out ("koln koeln"), and with words across an apostrophe joined ("st john s st johns").
 */
export function foldBothWays(text: string | null | undefined, folded = fold(text)): string {
  if (typeof text !== 'string') return folded
  const ways = [folded]
  const add = (way: string) => {
    if (!ways.includes(way)) ways.push(way)
  }
  const short = text.slice(0, MAX_CHARS)
  const joined = short.replace(APOSTROPHES, '')
  if (!isAscii(text)) add(fold(writtenOut(short)))
  if (joined !== short) {
    add(fold(joined))
    add(fold(writtenOut(joined)))
  }
  return ways.join(' ')
}

function writtenOut(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüåøđ]/g, (letter) => GERMAN[letter] ?? letter)
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
    .replace(/[ßæœøłđðþı]/g, (letter) => LATIN_LETTERS[letter] ?? letter)
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}
