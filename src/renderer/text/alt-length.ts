/*
 * How long an alt text should be. No standard gives a number: W3C's "Images Tutorial" asks for a short phrase or sentence, and common
 * advice for English is 125 characters, because some screen readers pause there. Other languages need more or fewer.
 */

const MAX_IN_ENGLISH = 125
const MIN_IN_ENGLISH = 12

/** How many characters say as much as one in English. */
const RATIO: Readonly<Record<string, number>> = { en: 1, zh: 0.36, ja: 0.45, ko: 0.5, th: 0.9, he: 0.8, ar: 0.9 }
const OTHER_RATIO = 1.2

interface AltLength {
  /** In characters, as a person counts them. */
  length: number
  /** This many characters are about enough. */
  limit: number
  verdict: 'empty' | 'short' | 'fine' | 'long'
}

/** `languageCode`: BCP 47; only its primary subtag counts. */
export function altLength(text: string, languageCode: string): AltLength {
  const ratio = RATIO[languageCode.toLowerCase().split('-')[0] ?? ''] ?? OTHER_RATIO
  const limit = Math.round((MAX_IN_ENGLISH * ratio) / 5) * 5
  const length = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.trim())].length
  const isShort = length < MIN_IN_ENGLISH * ratio
  return { length, limit, verdict: length === 0 ? 'empty' : length > limit ? 'long' : isShort ? 'short' : 'fine' }
}
