import type { ChargePoint } from '../charger.ts'
import { chargerDescription, chargerNames, withPlace, type LocatedCharger } from './charger-texts.ts'
import { SAMPLE_NOTICE, collectionName, type ExportOptions } from './sample-notice.ts'
import { markupText } from '../../text/safe-characters.ts'
import { xmlDecimal } from './xml.ts'

/** GPX 1.1 waypoints, one for each charger with coordinates; the others are left out. */
export function chargersGpx(chargers: readonly ChargePoint[], options: ExportOptions): string {
  const placed = withPlace(chargers)
  const names = chargerNames(placed)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Hangar" xmlns="http://www.topografix.com/GPX/1/1">',
    '<metadata>',
    `<name>${markupText(collectionName(options))}</name>`,
    ...(options.sample ? [`<desc>${markupText(SAMPLE_NOTICE)}</desc>`] : []),
    '</metadata>',
    ...placed.map((charger, at) => waypoint(charger, names[at] ?? '', options)),
    '</gpx>',
    '',
  ].join('\n')
}

function waypoint(charger: LocatedCharger, name: string, options: ExportOptions): string {
  const { lat, lng } = charger.location
  // GPX longitudes must be below 180, and a value just below it may round up to 180.
  const lon = xmlDecimal(lng) === '180' ? '-180' : xmlDecimal(lng)
  return [
    `<wpt lat="${xmlDecimal(lat)}" lon="${lon}">`,
    `<name>${markupText(name)}</name>`,
    `<desc>${markupText(chargerDescription(charger, options))}</desc>`,
    '<type>Charger</type>',
    '</wpt>',
  ].join('\n')
}
