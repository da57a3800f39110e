import { tenthsUp } from '../distance.ts'
import type { Aircraft } from './aircraft.ts'

/** A part of the range to keep: in miles, in minutes at cruise speed, or in percent of the range. */
export interface Reserve {
  value: number
  unit: 'nm' | 'min' | 'percent'
}

const UNIT_OF: Readonly<Record<string, Reserve['unit']>> = { '': 'nm', nm: 'nm', min: 'min', '%': 'percent' }

/** "15" or "15nm", "30min" or "20%"; null for anything else. */
export function readReserve(text: string): Reserve | null {
  const [, figure, name] = /^(\d+(?:\.\d+)?) ?(nm|min|%|)$/i.exec(text.trim()) ?? []
  const unit = UNIT_OF[name?.toLowerCase() ?? '-']
  return unit === undefined ? null : { value: Number(figure), unit }
}

/** In miles; minutes and percent in tenths of a mile, rounded up. Null for minutes while the speed is unknown. */
export function reserveInNm(
  { value, unit }: Reserve,
  { rangeNm, speedKt }: Pick<Aircraft, 'rangeNm' | 'speedKt'>,
): number | null {
  if (unit === 'nm') return value
  if (unit === 'percent') return tenthsUp((rangeNm * value) / 100)
  return speedKt === null ? null : tenthsUp((speedKt * value) / 60)
}
