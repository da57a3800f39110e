import { liveStateLabel, type ChargePoint } from '../../shared/charger.ts'
import { columns } from './figures.ts'
import { csvCell, forTerminal } from './safe-text.ts'

const DASH = '–'

/** A table for people, widest columns last. Every text comes from the service. */
export function chargerTable(chargers: readonly ChargePoint[]): string[] {
  const head = ['ICAO', 'AIRFIELD', 'TYPE', 'KW', 'STATE', 'CONNECTORS', 'PAYMENT']
  const rows = chargers.map((charger) =>
    [
      charger.icao ?? DASH,
      charger.airfield ?? DASH,
      charger.type ?? DASH,
      charger.kw ?? DASH,
      stateText(charger),
      charger.connectors.join(', ') || DASH,
      charger.paymentTypes.join(', ') || DASH,
    ].map(forTerminal),
  )
  return columns([head, ...rows])
}

/** What is known about it now: the live state, or else the plain yes or no. */
function stateText({ liveState, available }: ChargePoint): string {
  const label = liveStateLabel(liveState)
  if (label !== null) return label
  return available === null ? DASH : available ? 'yes (not live)' : 'no (not live)'
}

const CSV_COLUMNS: readonly [string, (charger: ChargePoint) => string | number | boolean | null][] = [
  ['id', ({ id }) => id],
  ['icao', ({ icao }) => icao],
  ['airfield', ({ airfield }) => airfield],
  ['lat', ({ location }) => location?.lat ?? null],
  ['lng', ({ location }) => location?.lng ?? null],
  ['location_source', ({ location }) => location?.source ?? null],
  ['manufacturer', ({ manufacturer }) => manufacturer],
  ['type', ({ type }) => type],
  ['kw', ({ kw }) => kw],
  ['connectors', ({ connectors }) => connectors.join('; ')],
  ['aircraft_types', ({ aircraftTypes }) => aircraftTypes.join('; ')],
  ['payment_types', ({ paymentTypes }) => paymentTypes.join('; ')],
  ['available', ({ available }) => available],
  ['live_state', ({ liveState }) => liveState],
  ['live_state_synced_at', ({ liveStateSyncedAt }) => liveStateSyncedAt],
  ['software_version', ({ softwareVersion }) => softwareVersion],
]

/** RFC 4180, UTF-8. Numbers are numbers; text that a spreadsheet would run is made harmless. */
export function chargerCsv(chargers: readonly ChargePoint[]): string {
  const cell = (value: string | number | boolean | null) =>
    typeof value === 'string' ? csvCell(value) : value === null ? '' : String(value)
  const rows = chargers.map((charger) => CSV_COLUMNS.map(([, of]) => cell(of(charger))).join(','))
  return [CSV_COLUMNS.map(([name]) => name).join(','), ...rows].map((row) => `${row}\r\n`).join('')
}
