/*
 * How long an alt text should be. No standard gives a number: W3C's "Images Tutorial" asks for a short phrase or sentence, and common
 * advice for English is 125 characters, because some screen readers pause there. Other languages need more or fewer.
 */

const ENGLISH_LIMIT = 125
const ENGLISH_LEAST = 12

/** The number of characters that say as much as one in English. Languages not listed are about as long as English. */
const SHARE: Readonly<Record<string, number>> = {
  zh: 0.36,
  ja: 0.45,
  ko: 0.5,
  th: 0.9,
  he: 0.8,
  ar: 0.9,
  de: 1.2,
  fr: 1.2,
  es: 1.2,
  it: 1.2,
  pt: 1.15,
  nl: 1.15,
  pl: 1.15,
  fi: 1.15,
  hu: 1.15,
  el: 1.2,
  ru: 1.15,
  uk: 1.15,
}

interface AltLength {
  /** In characters, as a person counts them. */
  length: number
  /** This many characters are about enough. */
  limit: number
  verdict: 'empty' | 'short' | 'fine' | 'long'
}

/** `languageCode`: BCP 47; only its primary subtag counts. */
export function altLength(text: string, languageCode: string): AltLength {
  const share = SHARE[languageCode.toLowerCase().split('-')[0] ?? ''] ?? 1
  const limit = Math.round((ENGLISH_LIMIT * share) / 5) * 5
  const length = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.trim())].length
  const isShort = length < ENGLISH_LEAST * share
  return { length, limit, verdict: length === 0 ? 'empty' : length > limit ? 'long' : isShort ? 'short' : 'fine' }
}
