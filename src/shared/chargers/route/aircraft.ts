import { tenthsUp } from '../distance.ts'
import { facetKey } from '../fold.ts'

export const MAX_RANGE_NM = 5000
export const MAX_SPEED_KT = 1000
export const MAX_KWH = 100_000
export const MAX_KW = 10_000
export const MAX_AIRCRAFT = 50

/** What two names of the same aircraft have in common. */
export const aircraftKey = (name: string) => name.trim().normalize('NFC').toLowerCase()

/** What decides where an aircraft can charge and how far it flies. */
export interface Aircraft {
  /** In any spelling, like `types`. */
  connectors: readonly string[]
  /** Names that the chargers' lists of aircraft may use for it. */
  types: readonly string[]
  /** Range on a full charge in still air. */
  rangeNm: number
  /** The part of the range to keep in reserve. */
  reserve: Reserve
  speedKt: number | null
  /** The energy for the whole range. */
  usableKwh: number | null
  /** The aircraft's own limit, whatever the charger delivers. */
  maxKw: number | null
}

/** A starting point: fictitious figures, which a person replaces by those of their own handbook. */
export const EXAMPLE_AIRCRAFT: Aircraft = {
  connectors: [],
  types: [],
  rangeNm: 75,
  reserve: { value: 25, unit: 'nm' },
  speedKt: 90,
  usableKwh: 22,
  maxKw: 20,
}
/** In place of the id of a saved aircraft. */
export const EXAMPLE_ID = 'trainer'

export type Fit = 'fits' | 'does_not_fit' | 'not_known'

/** The lists of a `PreparedCharger` that decide about fit. */
interface ListedBy {
  connectors: readonly { key: string }[]
  aircraft: readonly { key: string }[]
}

/** Whether an aircraft can charge there according to the service; unknown if the charger or the aircraft lists nothing. */
export function fitTest(wanted: Pick<Aircraft, 'connectors' | 'types'>): (charger: ListedBy) => Fit {
  const [plugs, names] = [keysOf(wanted.connectors), keysOf(wanted.types)]
  if (namesNothing(wanted)) return () => 'not_known'
  return ({ connectors, aircraft }) => {
    const both = [oneOf(plugs, connectors), oneOf(names, aircraft)]
    return (['does_not_fit', 'not_known'] as const).find((fit) => both.includes(fit)) ?? 'fits'
  }
}

/** Whether nothing is known of what fits the aircraft. */
export function namesNothing({ connectors, types }: Pick<Aircraft, 'connectors' | 'types'>): boolean {
  return keysOf(connectors).size === 0 && keysOf(types).size === 0
}

function keysOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.map(facetKey).filter((key) => key !== null))
}

function oneOf(wanted: ReadonlySet<string>, given: readonly { key: string }[]): Fit {
  if (wanted.size === 0) return 'fits'
  if (given.length === 0) return 'not_known'
  return given.some(({ key }) => wanted.has(key)) ? 'fits' : 'does_not_fit'
}

/** The range to plan with; null if the reserve leaves none, or is in minutes while the speed is unknown. */
export function usableNm(aircraft: Range & Pick<Aircraft, 'reserve'>): number | null {
  const usable = aircraft.rangeNm - (reserveInNm(aircraft.reserve, aircraft) ?? Infinity)
  return usable > 0 && usable <= aircraft.rangeNm ? usable : null
}

export function kwhPerNm({ usableKwh, rangeNm }: Pick<Aircraft, 'usableKwh' | 'rangeNm'>): number | null {
  return usableKwh === null || !(rangeNm > 0) ? null : usableKwh / rangeNm
}

/** Energy divided by power, as if power stayed constant to the end: an estimate, and a lower bound. */
export function idealChargeMinutes(kwh: number | null, kw: number | null): number | null {
  return kwh === null || kw === null || !(kw > 0) ? null : (kwh / kw) * 60
}

/** A part of the range to keep: in miles, in minutes at cruise speed, or in percent of the range. */
export interface Reserve {
  value: number
  unit: ReserveUnit
}

export const RESERVE_UNITS = ['nm', 'min', 'percent'] as const
type ReserveUnit = (typeof RESERVE_UNITS)[number]

type Range = Pick<Aircraft, 'rangeNm' | 'speedKt'>

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

/** The same reserve in another unit, in whole ones, rounded up; null where that is not known. */
export function reserveAs(unit: ReserveUnit, reserve: Reserve, range: Range): Reserve | null {
  const [nm, ofThousand] = [reserveInNm(reserve, range), reserveInNm({ value: 1000, unit }, range) ?? 0]
  return nm === null || ofThousand === 0
    ? null
    : { value: Math.max(0, Math.ceil((1000 * nm) / ofThousand - 1e-9)), unit }
}

/** In miles; minutes and percent in tenths of a mile, rounded up. Null for minutes while the speed is unknown. */
export function reserveInNm({ value, unit }: Reserve, { rangeNm, speedKt }: Range): number | null {
  if (unit === 'nm') return value
  if (unit === 'percent') return tenthsUp((rangeNm * value) / 100)
  return speedKt === null ? null : tenthsUp((speedKt * value) / 60)
}
