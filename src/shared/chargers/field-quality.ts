import { csvTable } from '../text/csv-cell.ts'
import { isAhead, isCurrent, liveStatusOf } from './live-state.ts'
import type { PreparedCharger } from './prepare.ts'
import { SAMPLE_NOTICE, type ExportOptions } from './exports/sample-notice.ts'

/** Problems in the service's data that the operator of an airfield can correct. */
export const QUALITY_FINDINGS = [
  'no_position',
  'position_implausible',
  'position_of_airfield',
  'position_source_missing',
  'hours_missing',
  'hours_incomplete',
  'power_missing',
  'power_unreadable',
  'connectors_missing',
  'aircraft_missing',
  'sync_missing',
  'sync_old',
  'sync_in_future',
  'state_contradicts',
  'state_undocumented',
] as const
type QualityFinding = (typeof QUALITY_FINDINGS)[number]

export interface ChargerQuality {
  id: number
  icao: string | null
  airfield: string | null
  findings: readonly QualityFinding[]
}

/** What is missing, outdated, unreadable or contradictory in one charger's data at this time. */
export function qualityFindings(one: PreparedCharger, nowMs: number): QualityFinding[] {
  const { charger, place, placeDoubt, week, power, syncedAtMs } = one
  const found: QualityFinding[] = []
  const source = charger.location?.source ?? null
  if (place === null) found.push('no_position')
  else {
    if (placeDoubt !== null) found.push('position_implausible')
    if (source === 'arp') found.push('position_of_airfield')
    else if (source !== 'charge_point') found.push('position_source_missing')
  }
  const unknownDays = week.filter(({ kind }) => kind === 'unknown').length
  if (unknownDays > 0) found.push(unknownDays === week.length ? 'hours_missing' : 'hours_incomplete')
  if (charger.kw === null || charger.kw.trim() === '') found.push('power_missing')
  else if (power === null) found.push('power_unreadable')
  if (charger.connectors.length === 0) found.push('connectors_missing')
  if (charger.aircraftTypes.length === 0) found.push('aircraft_missing')
  if (charger.liveState !== null) {
    if (syncedAtMs === null) found.push('sync_missing')
    else if (isAhead(syncedAtMs, nowMs)) found.push('sync_in_future')
    else if (!isCurrent(syncedAtMs, nowMs)) found.push('sync_old')
    const { liveClass, disagreement } = liveStatusOf(one, nowMs)
    if (disagreement !== null) found.push('state_contradicts')
    if (liveClass === 'unknown' && charger.liveState !== 'other') found.push('state_undocumented')
  }
  return found
}

/** One entry per charger with findings, most findings first, otherwise in the given order. */
export function qualityList(prepared: readonly PreparedCharger[], nowMs: number): ChargerQuality[] {
  return prepared
    .map((one) => {
      const { id, icao, airfield } = one.charger
      return { id, icao, airfield, findings: qualityFindings(one, nowMs) }
    })
    .filter(({ findings }) => findings.length > 0)
    .sort((one, other) => other.findings.length - one.findings.length)
}

/** RFC 4180 in UTF-8: a row per charger, a column per finding. */
export function qualityCsv(list: readonly ChargerQuality[], { sample }: Pick<ExportOptions, 'sample'>): string {
  const head = ['id', 'icao', 'airfield', ...QUALITY_FINDINGS, ...(sample ? ['notice'] : [])]
  const rows = list.map(({ id, icao, airfield, findings }) => [
    id,
    icao,
    airfield,
    ...QUALITY_FINDINGS.map((finding) => (findings.includes(finding) ? 'yes' : null)),
    ...(sample ? [SAMPLE_NOTICE] : []),
  ])
  return csvTable([head, ...rows])
}
