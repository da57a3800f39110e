import { basename } from 'node:path'

/** A run of digits with more is compared as if it had this many. */
const MOST_DIGITS = 99

/**
 * What a list of files is sorted by when it is sorted by name: compared byte by byte, `img_2` comes before `IMG_10`, and `Tür` beside
 * `tur`. The same in every language, because the journal keeps it.
 */
export function nameKey(path: string): string {
  return basename(path)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\d+/g, (digits) => {
      const number = digits.replace(/^0+(?=\d)/, '')
      return String(Math.min(MOST_DIGITS, number.length)).padStart(2, '0') + number
    })
}
