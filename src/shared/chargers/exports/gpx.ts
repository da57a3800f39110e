import type { ChargePoint } from '../charger.ts'
import type { Point } from '../distance.ts'
import { chargerDescription, chargerNames, withPlace } from './charger-texts.ts'
import { SAMPLE_NOTICE, collectionName, type ExportOptions } from './sample-notice.ts'
import { markupText } from '../../text/safe-characters.ts'
import { xmlDecimal } from './xml.ts'

/** GPX 1.1 waypoints, one for each charger with coordinates; the others are left out. */
export function chargersGpx(chargers: readonly ChargePoint[], options: ExportOptions): string {
  const placed = withPlace(chargers)
  const names = chargerNames(placed)
  const points = placed.map((charger, at) => ({
    name: names[at] ?? '',
    place: charger.location,
    more: [`<desc>${markupText(chargerDescription(charger, options))}</desc>`, '<type>Charger</type>'],
  }))
  return gpxFile(points, collectionName(options), options.sample)
}

interface GpxPoint {
  name: string
  place: Point
  /** More elements of the waypoint. */
  more: readonly string[]
}

/** GPX 1.1 waypoints under a name of the whole. */
export function gpxFile(points: readonly GpxPoint[], name: string, sample: boolean): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Hangar" xmlns="http://www.topografix.com/GPX/1/1">',
    '<metadata>',
    `<name>${markupText(name)}</name>`,
    ...(sample ? [`<desc>${markupText(SAMPLE_NOTICE)}</desc>`] : []),
    '</metadata>',
    ...points.map(waypoint),
    '</gpx>',
    '',
  ].join('\n')
}

function waypoint({ name, place: { lat, lng }, more }: GpxPoint): string {
  // GPX longitudes must be below 180, and a value just below it may round up to 180.
  const lon = xmlDecimal(lng) === '180' ? '-180' : xmlDecimal(lng)
  return [`<wpt lat="${xmlDecimal(lat)}" lon="${lon}">`, `<name>${markupText(name)}</name>`, ...more, '</wpt>'].join(
    '\n',
  )
}
