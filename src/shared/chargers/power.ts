/** Power in kilowatts. `kw` is that of one outlet, `totalKw` that of all: "2x22" is 22, 2 and 44. */
export interface Power {
  kw: number
  outlets: number
  totalKw: number
}

/** Marker sizes, by the power of one outlet: below 11 kW, below 50, below 150, and from 150 on. */
export type PowerTier = 'unknown' | 'under11' | 'under50' | 'under150' | 'from150'

const MAX_CHARS = 60
const MAX_OUTLETS = 99
/** More than any charger gives; what is above was not meant in kilowatts. */
const MAX_KW = 10_000

const NUMBER = String.raw`\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?`
const UNIT = String.raw`kw|mw|w`
/** Words before, such as "max."; after the number only a unit and the kind of current, so that "32 A" is no power. */
const FORMS = [
  new RegExp(
    String.raw`^[a-z.:~≤ ]*?(?:(?<outlets>\d+) ?[x×*] ?)?(?<number>${NUMBER}) ?(?<unit>${UNIT})?(?:[ /,(]*(?:ac|dc)\b\)?)*$`,
  ),
  new RegExp(String.raw`^[a-z.:~≤ ]*?(?<number>${NUMBER}) ?(?<unit>${UNIT}) ?[x×*] ?(?<outlets>\d+)$`),
]
const KW_PER_UNIT: Readonly<Record<string, number>> = { w: 0.001, kw: 1, mw: 1000 }

/**
 * Reads the stored power (charger document: "power in kW, as stored"; its spelling is not shown). Understood are a number,
 * with a unit or without, and "outlets x number". A comma or point is always a decimal mark ("19,2", and "65.000" is
 * sixty-five); thousands are told apart by a space or apostrophe. Null for anything else: never a guess.
 */
export function powerOf(text: string | null | undefined): Power | null {
  if (typeof text !== 'string' || text.length > MAX_CHARS) return null
  const plain = text.normalize('NFKC').slice(0, MAX_CHARS).toLowerCase().replace(/\s+/g, ' ').trim()
  const found = FORMS.map((form) => form.exec(plain)?.groups).find((groups) => groups !== undefined)
  if (found?.number === undefined) return null
  const outlets = found.outlets === undefined ? 1 : Number(found.outlets)
  const kw = Number(found.number.replace(/[ '’]/g, '').replace(',', '.')) * (KW_PER_UNIT[found.unit ?? 'kw'] ?? 1)
  if (!(kw > 0 && kw <= MAX_KW) || outlets < 1 || outlets > MAX_OUTLETS) return null
  return { kw, outlets, totalKw: Math.round(kw * outlets * 1000) / 1000 }
}

export function powerTier(power: Pick<Power, 'kw'> | null): PowerTier {
  if (power === null || !(power.kw > 0)) return 'unknown'
  if (power.kw < 11) return 'under11'
  if (power.kw < 50) return 'under50'
  return power.kw < 150 ? 'under150' : 'from150'
}
