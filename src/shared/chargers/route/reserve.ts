import { tenthsUp } from '../distance.ts'

/** A part of the range to keep: in miles, in minutes at cruise speed, or in percent of the range. */
export interface Reserve {
  value: number
  unit: ReserveUnit
}

export const RESERVE_UNITS = ['nm', 'min', 'percent'] as const
export type ReserveUnit = (typeof RESERVE_UNITS)[number]

interface Range {
  rangeNm: number
  speedKt: number | null
}

const UNIT_OF: Readonly<Record<string, ReserveUnit>> = { '': 'nm', nm: 'nm', min: 'min', '%': 'percent' }

/** "15" or "15nm", "30min" or "20%"; null for anything else. */
export function readReserve(text: string): Reserve | null {
  const [, figure, name] = /^(\d+(?:\.\d+)?) ?(nm|min|%|)$/i.exec(text.trim()) ?? []
  const unit = UNIT_OF[name?.toLowerCase() ?? '-']
  return unit === undefined ? null : { value: Number(figure), unit }
}

/** As `readReserve` reads it, in thousandths at most. */
export function reserveText({ value, unit }: Reserve): string {
  return `${Number(value.toFixed(3))}${unit === 'nm' ? '' : unit === 'percent' ? '%' : unit}`
}

/** The same reserve in another unit, in whole minutes, percent or tenths of a mile, rounded up; null where that is not known. */
export function reserveAs(unit: ReserveUnit, reserve: Reserve, range: Range): Reserve | null {
  const nm = reserveInNm(reserve, range)
  if (nm === null) return null
  if (unit === 'nm') return { value: nm, unit }
  const whole = unit === 'percent' ? range.rangeNm / 100 : (range.speedKt ?? 0) / 60
  return whole > 0 ? { value: Math.max(0, Math.ceil(nm / whole - 1e-9)), unit } : null
}

/** In miles; minutes and percent in tenths of a mile, rounded up. Null for minutes while the speed is unknown. */
export function reserveInNm({ value, unit }: Reserve, { rangeNm, speedKt }: Range): number | null {
  if (unit === 'nm') return value
  if (unit === 'percent') return tenthsUp((rangeNm * value) / 100)
  return speedKt === null ? null : tenthsUp((speedKt * value) / 60)
}
