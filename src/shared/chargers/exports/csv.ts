import type { ChargePoint } from '../charger.ts'
import { NOTHING_KNOWN } from '../nothing-known.ts'
import { csvTable } from '../../text/csv-cell.ts'
import { chargerMembers, SAMPLE_NOTICE, type ExportOptions } from './charger-texts.ts'

interface CsvOptions extends ExportOptions {
  /** For files that a spreadsheet opens: without it, spreadsheets assume another encoding. */
  byteOrderMark: boolean
}

/** RFC 4180 in UTF-8, all chargers, with a header line. Sample data has an extra column `notice` that says so in each row. */
export function chargersCsv(chargers: readonly ChargePoint[], { sample, nowMs, byteOrderMark }: CsvOptions): string {
  const columnsOf = (charger: ChargePoint) => [
    ...chargerMembers(charger, nowMs),
    ...(sample ? [['notice', SAMPLE_NOTICE] as const] : []),
  ]
  const head = columnsOf({ id: 0, ...NOTHING_KNOWN }).map(([name]) => name)
  const rows = chargers.map((charger) =>
    columnsOf(charger).map(([, value]) => (value !== null && typeof value === 'object' ? value.join('; ') : value)),
  )
  return `${byteOrderMark ? '\ufeff' : ''}${csvTable([head, ...rows])}`
}
