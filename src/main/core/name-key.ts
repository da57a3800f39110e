import { basename } from 'node:path'

/** Longer runs of digits are compared as if they had this many. */
const MOST_DIGITS = 99

/**
 * The sort key for names. Compared byte by byte, it puts `img_2` before `IMG_10`, and `Tür` beside `tur`. Independent of the
 * language, because the journal stores it.
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
