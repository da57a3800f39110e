import { jsonText } from '../../../../shared/text/safe-characters.ts'
import type { ChargePoint } from '../../../../shared/chargers/charger.ts'
import { chargersCup } from '../../../../shared/chargers/exports/cup.ts'
import { chargersCsv } from '../../../../shared/chargers/exports/csv.ts'
import { chargersGeoJson } from '../../../../shared/chargers/exports/geojson.ts'
import { chargersGpx } from '../../../../shared/chargers/exports/gpx.ts'
import type { ExportOptions } from '../../../../shared/chargers/exports/charger-texts.ts'

export type ExportFormat = 'csv' | 'geojson' | 'gpx' | 'cup'

/** An export file of these chargers. All formats but CSV leave out chargers without coordinates. */
export function exportText(
  chargers: readonly ChargePoint[],
  format: ExportFormat,
  options: ExportOptions,
): { type: string; text: string } {
  switch (format) {
    case 'csv':
      return { type: 'text/csv;charset=utf-8', text: chargersCsv(chargers, { ...options, byteOrderMark: true }) }
    case 'geojson':
      return { type: 'application/geo+json', text: jsonText(chargersGeoJson(chargers, options)) }
    case 'gpx':
      return { type: 'application/gpx+xml', text: chargersGpx(chargers, options) }
    case 'cup':
      return { type: 'text/plain;charset=utf-8', text: chargersCup(chargers, options) }
  }
}
