import type { ChargePoint } from '../charger.ts'
import { csvTable } from '../../text/csv-cell.ts'
import { jsonText } from '../../text/safe-characters.ts'
import { chargerPoints, collectionName, MEMBERS, SAMPLE_NOTICE, withPlace } from './charger-texts.ts'
import type { ExportOptions } from './charger-texts.ts'
import { cupFile } from './cup.ts'
import { gpxFile } from './gpx.ts'

export const FILE_FORMATS = ['csv', 'geojson', 'gpx', 'cup'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** The chargers as a file for other programs. All formats but CSV leave out chargers without coordinates. */
export function chargerFile(format: FileFormat, chargers: readonly ChargePoint[], options: ExportOptions): string {
  switch (format) {
    case 'csv':
      return chargersCsv(chargers, options)
    case 'geojson':
      return `${jsonText(chargersGeoJson(chargers, options))}\n`
    case 'gpx': {
      const notice = options.sample ? SAMPLE_NOTICE : null
      return gpxFile(chargerPoints(chargers, options), { name: collectionName(options), notice })
    }
    case 'cup':
      return cupFile(chargerPoints(chargers, options))
  }
}

/** RFC 4180 in UTF-8, all chargers, with a header line. Sample data has an extra column `notice` that says so in each row. */
function chargersCsv(chargers: readonly ChargePoint[], { sample, nowMs }: ExportOptions): string {
  const [head, last] = [Object.keys(MEMBERS), sample ? [SAMPLE_NOTICE] : []]
  const rows = chargers.map((charger) =>
    Object.values(MEMBERS).map((member) => {
      const value = member(charger, nowMs)
      return value !== null && typeof value === 'object' ? value.join('; ') : value
    }),
  )
  return csvTable([[...head, ...(sample ? ['notice'] : [])], ...rows.map((row) => [...row, ...last])])
}

/** RFC 7946, with properties named as in the charger document; `name` and `notice` are foreign members (section 6.1). */
function chargersGeoJson(chargers: readonly ChargePoint[], options: ExportOptions): object {
  const notice = options.sample ? { notice: SAMPLE_NOTICE } : {}
  const features = withPlace(chargers).map((charger) => {
    const { lat, lng, ...members } = Object.fromEntries(
      Object.entries(MEMBERS).map(([name, member]) => [name, member(charger, options.nowMs)]),
    )
    return {
      type: 'Feature',
      id: charger.id,
      geometry: { type: 'Point', coordinates: [lng, lat] },
      properties: { ...members, availability: charger.availability, ...notice },
    }
  })
  return { type: 'FeatureCollection', name: collectionName(options), ...notice, features }
}
