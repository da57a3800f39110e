import type { ChargePoint, ChargerLocation } from '../charger.ts'
import { isPoint, type Point } from '../distance.ts'
import { isCurrent, isLiveStateCurrent, liveStateLabel, syncedAtMs } from '../live-state.ts'
import { isAllDay, openingWeek, timeText } from '../opening-week.ts'
import { nameOf } from '../group.ts'

export interface ExportOptions {
  /** The chargers come from the practice service: the file says so wherever a reader may look. */
  sample: boolean
  /** Unix milliseconds: decides which live states are current. */
  nowMs: number
}

export const SAMPLE_NOTICE = 'Sample data, not for navigation'

/** The name of the whole collection. */
export function collectionName({ sample }: Pick<ExportOptions, 'sample'>): string {
  return sample ? `Chargers at airfields (${SAMPLE_NOTICE})` : 'Chargers at airfields'
}

/** The name of an exported charger in a format with a single name field: "EDAZ Schönhagen". */
const chargerName = (charger: ChargePoint) => nameOf(charger) || `Charger ${charger.id}`

/** In the same order; equal names get the charger's id: "EDAZ Schönhagen (12)". */
export function chargerNames(chargers: readonly ChargePoint[]): string[] {
  const counts = new Map<string, number>()
  const names = chargers.map(chargerName)
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return names.map((name, at) => ((counts.get(name) ?? 0) > 1 ? `${name} (${chargers[at]?.id ?? ''})` : name))
}

/** In the notation of OpenStreetMap's `opening_hours`: "Mo-Fr 08:00-18:00; Sa off; Su unknown". Empty when no day is known. */
export function openingHoursText(availability: ChargePoint['availability']): string {
  const week = openingWeek(availability)
  if (week.every(({ kind }) => kind === 'unknown')) return ''
  if (week.every(isAllDay)) return '24/7'
  const spans: { from: string; to: string; hours: string }[] = []
  for (const [at, { kind, from, to }] of week.entries()) {
    const day = DAYS[at]!
    const hours = kind === 'open' ? `${timeText(from)}-${timeText(to)}` : kind === 'closed' ? 'off' : kind
    const last = spans.at(-1)
    if (last?.hours === hours) last.to = day
    else spans.push({ from: day, to: day, hours })
  }
  return spans.map(({ from, to, hours }) => `${from === to ? from : `${from}-${to}`} ${hours}`).join('; ')
}

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/** "DC. 50 kW. CCS2. Available. Payment: Card. Mo-Su 08:00-18:00. Charger 1". Notice first, because devices show little of a waypoint. */
function chargerDescription(charger: ChargePoint, { sample, nowMs }: ExportOptions): string {
  const { type, kw, connectors, paymentTypes, available, availability, id } = charger
  const facts = [
    sample ? SAMPLE_NOTICE : null,
    type,
    kw === null ? null : /kw/i.test(kw) ? kw : `${kw} kW`,
    connectors.join(', '),
    stateText(charger, nowMs) ??
      (available === null ? null : `${available ? 'Available' : 'Not available'} (not live)`),
    paymentTypes.length === 0 ? null : `Payment: ${paymentTypes.join(', ')}`,
    openingHoursText(availability),
    `Charger ${id}`,
  ]
  return facts.filter((fact) => fact !== null && fact !== '').join('. ')
}

/** The id of the charger that a description is of (`chargerDescription`); null for another text. */
export function chargerOf(description: string): number | null {
  const [, id] = /(?:^|\. )Charger (\d{1,15})$/.exec(description.trim()) ?? []
  return id === undefined ? null : Number(id)
}

/** "Available", or "Available (last known, 2026-03-01T10:00:00+01:00)"; null without a live state. */
function stateText({ liveState, liveStateSyncedAt }: ChargePoint, nowMs: number): string | null {
  const label = liveStateLabel(liveState)
  if (label === null || isCurrent(syncedAtMs(liveStateSyncedAt), nowMs)) return label
  return `${label} (last known, ${liveStateSyncedAt ?? 'time not known'})`
}

/** The columns of a charger in files, named as in the charger document besides `live_state_current` and `opening_hours`. */
export const MEMBERS = {
  id: ({ id }) => id,
  icao: ({ icao }) => icao,
  airfield: ({ airfield }) => airfield,
  lat: ({ location }) => location?.lat ?? null,
  lng: ({ location }) => location?.lng ?? null,
  location_source: ({ location }) => location?.source ?? null,
  manufacturer: ({ manufacturer }) => manufacturer,
  type: ({ type }) => type,
  kw: ({ kw }) => kw,
  connectors: ({ connectors }) => connectors,
  aircraft_types: ({ aircraftTypes }) => aircraftTypes,
  payment_types: ({ paymentTypes }) => paymentTypes,
  available: ({ available }) => available,
  live_state: ({ liveState }) => liveState,
  live_state_synced_at: ({ liveStateSyncedAt }) => liveStateSyncedAt,
  live_state_current: isLiveStateCurrent,
  software_version: ({ softwareVersion }) => softwareVersion,
  opening_hours: ({ availability }) => openingHoursText(availability),
} as const satisfies Record<
  string,
  (charger: ChargePoint, nowMs: number) => string | number | boolean | readonly string[] | null
>

/** A waypoint of a file for other programs. */
export interface FilePoint {
  name: string
  place: Point
  icao?: string | null
  description?: string
  isCharger?: boolean
}

/** Chargers without coordinates are left out. */
export function chargerPoints(chargers: readonly ChargePoint[], options: ExportOptions): FilePoint[] {
  const placed = withPlace(chargers)
  const names = chargerNames(placed)
  return placed.map((charger, at) => ({
    name: names[at]!,
    place: charger.location,
    icao: charger.icao,
    description: chargerDescription(charger, options),
    isCharger: true,
  }))
}

type LocatedCharger = ChargePoint & { location: ChargerLocation }

/** The chargers that a map can show. */
export function withPlace(chargers: readonly ChargePoint[]): LocatedCharger[] {
  return chargers.filter((charger): charger is LocatedCharger => isPoint(charger.location))
}
