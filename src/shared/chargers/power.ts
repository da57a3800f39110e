/**
 * Power in kilowatts. `kw` is for one outlet, the strongest if they differ; `totalKw` is for all of them. "2x22" gives 22, 2
 * outlets and 44; "2x22+1x50" gives 50, 3 and 94.
 */
export interface Power {
  kw: number
  outlets: number
  totalKw: number
}

/** Marker sizes, by the power of one outlet: below 11 kW, below 50, below 150, and from 150 on. */
export type PowerTier = 'unknown' | 'under11' | 'under50' | 'under150' | 'from150'

const MAX_CHARS = 60
const MAX_OUTLETS = 99
/** More than any charger delivers; a larger number was not meant in kilowatts. */
const MAX_KW = 10_000

const NUMBER = String.raw`\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?`
const UNIT = String.raw`kw|mw|w`
/**
 * Words may come before, such as "max."; only a unit and the kind of current may follow, so that "32 A" does not count as
 * power.
 */
const FORMS = [
  new RegExp(
    String.raw`^[a-z.:~≤ ]*?(?:(?<outlets>\d+) ?[x×*] ?)?(?<number>${NUMBER}) ?(?<unit>${UNIT})?(?:[ /,(]*(?:ac|dc)\b\)?)*$`,
  ),
  new RegExp(String.raw`^[a-z.:~≤ ]*?(?<number>${NUMBER}) ?(?<unit>${UNIT}) ?[x×*] ?(?<outlets>\d+)$`),
]
const KW_PER_UNIT: Readonly<Record<string, number>> = { w: 0.001, kw: 1, mw: 1000 }

/** "11-22 kW": the first number counts. Without a unit it may be a name or a date. */
const RANGE = new RegExp(
  String.raw`^[a-z.:~≤ ]*?(?<from>${NUMBER}) ?(?:${UNIT})? ?(?:[-–]|to|bis) ?(?<to>${NUMBER}) ?(?<unit>${UNIT})$`,
)

/**
 * Reads the stored power (charger document: "power in kW, as stored"; its spelling is not shown). It accepts a number with or
 * without a unit, "outlets x number", a plus sign after either for "at least", a range with a unit, of which the lower end
 * counts, and several of the first two separated by slashes, commas or plus signs, if each has a unit or a number of outlets.
 * A comma or point within a number is always a decimal mark ("19,2", and "65.000" is sixty-five); thousands are separated by
 * a space or apostrophe. Null for anything else: never a guess.
 */
export function powerOf(text: string | null | undefined): Power | null {
  if (typeof text !== 'string' || text.length > MAX_CHARS) return null
  const plain = text.normalize('NFKC').slice(0, MAX_CHARS).toLowerCase().replace(/\s+/g, ' ').trim()
  return powerOfOne(plain.replace(/ ?\+$/, '')) ?? lowerEnd(plain) ?? powerOfSeveral(plain)
}

function powerOfOne(plain: string): Power | null {
  const found = FORMS.map((form) => form.exec(plain)?.groups).find((groups) => groups !== undefined)
  if (found?.number === undefined) return null
  const outlets = found.outlets === undefined ? 1 : Number(found.outlets)
  const kw = kilowatts(found.number, found.unit)
  if (!(kw > 0 && kw <= MAX_KW) || outlets < 1 || outlets > MAX_OUTLETS) return null
  return { kw, outlets, totalKw: rounded(kw * outlets) }
}

function lowerEnd(plain: string): Power | null {
  const { from, to, unit } = RANGE.exec(plain)?.groups ?? {}
  if (from === undefined || to === undefined) return null
  const [low, high] = [kilowatts(from, unit), kilowatts(to, unit)]
  return low > 0 && low < high && high <= MAX_KW ? { kw: low, outlets: 1, totalKw: low } : null
}

function powerOfSeveral(plain: string): Power | null {
  const parts = plain.split(/ ?[/+;&] ?|, /)
  if (parts.length < 2) return null
  let sum: Power = { kw: 0, outlets: 0, totalKw: 0 }
  for (const part of parts) {
    // A bare number may restate the same power: "11/22 kW".
    const power = /\d ?(?:kw|mw|w)\b|\d ?[x×*]|[x×*] ?\d/.test(part) ? powerOfOne(part) : null
    if (power === null) return null
    const outlets = sum.outlets + power.outlets
    sum = { kw: Math.max(sum.kw, power.kw), outlets, totalKw: rounded(sum.totalKw + power.totalKw) }
  }
  return sum.outlets <= MAX_OUTLETS ? sum : null
}

function kilowatts(number: string, unit: string | undefined): number {
  return Number(number.replace(/[ '’]/g, '').replace(',', '.')) * (KW_PER_UNIT[unit ?? 'kw'] ?? 1)
}

const rounded = (kw: number) => Math.round(kw * 1000) / 1000

export function powerTier(power: Pick<Power, 'kw'> | null): PowerTier {
  if (power === null || !(power.kw > 0)) return 'unknown'
  if (power.kw < 11) return 'under11'
  if (power.kw < 50) return 'under50'
  return power.kw < 150 ? 'under150' : 'from150'
}
