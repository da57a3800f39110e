import { tenthsDown } from '../distance.ts'
import { kwhPerNm, MAX_RANGE_NM, type Aircraft } from './aircraft.ts'

/** What an aircraft uses: kWh for each mile, or for each hour at its cruise speed. */
export interface Consumption {
  kwh: number
  per: ConsumptionPer
}

export const CONSUMPTION_PER = ['nm', 'hour'] as const
export type ConsumptionPer = (typeof CONSUMPTION_PER)[number]

/**
 * The range that the usable energy gives, in tenths of a mile, rounded down. Null while the energy is unknown, or the speed
 * for a consumption per hour.
 */
export function rangeOf(
  { usableKwh, speedKt }: Pick<Aircraft, 'usableKwh' | 'speedKt'>,
  { kwh, per }: Consumption,
): number | null {
  const nmPerKwh = per === 'nm' ? 1 / kwh : speedKt === null ? null : speedKt / kwh
  return usableKwh === null || nmPerKwh === null || !(kwh > 0) ? null : tenthsDown(usableKwh * nmPerKwh)
}

/** Whether an aircraft may have this range. */
export const isRange = (nm: number) => nm >= 1 && nm <= MAX_RANGE_NM

/** What energy and range say of the consumption, in kWh; null when one of them is unknown. */
export function consumptionOf(aircraft: Aircraft, per: ConsumptionPer): number | null {
  const kwh = kwhPerNm(aircraft)
  if (kwh === null || per === 'nm') return kwh
  return aircraft.speedKt === null ? null : kwh * aircraft.speedKt
}
