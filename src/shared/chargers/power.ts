import type { ChargePoint } from './charger.ts'

export type Current = 'AC' | 'DC'

/** Both for "AC/DC", DC for "dc fast", none for a text that names neither. The document shows `AC` and `DC` only as examples. */
export function currentsOf(type: ChargePoint['type']): readonly Current[] {
  const words = type?.toLowerCase().match(/[a-z]+/g) ?? []
  return [
    ...(words.some((word) => ['ac', 'acdc'].includes(word)) ? (['AC'] as const) : []),
    ...(words.some((word) => ['dc', 'dcfc', 'acdc'].includes(word)) ? (['DC'] as const) : []),
  ]
}

/** Power in kilowatts: `kw` is for one outlet, `totalKw` for all of them. "2x22" gives 22, 2 outlets and 44. */
export interface Power {
  kw: number
  outlets: number
  totalKw: number
}

const MAX_CHARS = 60
const MAX_OUTLETS = 99
/** More than any charger delivers; a larger number was not meant in kilowatts. */
const MAX_KW = 10_000

/** Words such as "max." may come before; only a unit and the kind of current may follow, so that "32 A" is no power. */
const FORM =
  /^[a-z.:~≤ ]*?(?:(?<outlets>\d+) ?[x×*] ?)?(?<number>\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?) ?(?<unit>kw|w)?(?:[ /,(]*(?:ac|dc)\b\)?)*$/

/**
 * Reads the stored power (charger document, `kw`; the spelling is not shown): a number with or without a unit, and "outlets x number". A
 * comma or point is always a decimal mark; thousands are separated by a space or apostrophe. Null for anything else: never a guess.
 */
export function powerOf(text: ChargePoint['kw']): Power | null {
  if (text === null || text.length > MAX_CHARS) return null
  const plain = text.normalize('NFKC').slice(0, MAX_CHARS).toLowerCase().replace(/\s+/g, ' ').trim()
  const { outlets: given = '1', number, unit } = FORM.exec(plain)?.groups ?? {}
  if (number === undefined) return null
  const outlets = Number(given)
  const kw = Number(number.replace(/[ '’]/g, '').replace(',', '.')) / (unit === 'w' ? 1000 : 1)
  if (!(kw > 0 && kw <= MAX_KW) || outlets < 1 || outlets > MAX_OUTLETS) return null
  return { kw, outlets, totalKw: Math.round(kw * outlets * 1000) / 1000 }
}
