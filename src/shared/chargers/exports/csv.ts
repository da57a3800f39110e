import type { ChargePoint } from '../charger.ts'
import { csvCell } from '../../text/csv-cell.ts'
import { isLiveStateCurrent } from '../live-state.ts'
import { openingHoursText } from './charger-texts.ts'
import { SAMPLE_NOTICE, type ExportOptions } from './sample-notice.ts'

interface CsvOptions extends ExportOptions {
  /** For files that a spreadsheet opens: without it, spreadsheets assume another encoding. */
  byteOrderMark: boolean
}

type Cell = string | number | boolean | null

const COLUMNS: readonly [string, (charger: ChargePoint, nowMs: number) => Cell][] = [
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
  ['live_state_current', isLiveStateCurrent],
  ['software_version', ({ softwareVersion }) => softwareVersion],
  ['opening_hours', ({ availability }) => openingHoursText(availability)],
]

/** RFC 4180 in UTF-8, all chargers, with a header line. Sample data has an extra column `notice` that says so in each row. */
export function chargersCsv(chargers: readonly ChargePoint[], { sample, nowMs, byteOrderMark }: CsvOptions): string {
  const columns: typeof COLUMNS = sample ? [...COLUMNS, ['notice', () => SAMPLE_NOTICE]] : COLUMNS
  const rows = chargers.map((charger) => columns.map(([, of]) => csvCell(of(charger, nowMs))).join(','))
  const head = columns.map(([name]) => name).join(',')
  return `${byteOrderMark ? '\ufeff' : ''}${[head, ...rows].map((row) => `${row}\r\n`).join('')}`
}
