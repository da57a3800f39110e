import type { ChargePoint } from '../charger.ts'
import { chargerDescription, chargerMembers, chargerNames, withPlace, type LocatedCharger } from './charger-texts.ts'
import { SAMPLE_NOTICE, collectionName, type ExportOptions } from './sample-notice.ts'
import { markupText } from '../../text/safe-characters.ts'
import { xmlDecimal } from './xml.ts'

/** KML 2.2 (OGC 07-147r2), one placemark for each charger with coordinates; the others are left out. */
export function chargersKml(chargers: readonly ChargePoint[], options: ExportOptions): string {
  const placed = withPlace(chargers)
  const names = chargerNames(placed)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<kml xmlns="http://www.opengis.net/kml/2.2">',
    '<Document>',
    `<name>${markupText(collectionName(options))}</name>`,
    ...(options.sample ? [`<description>${markupText(SAMPLE_NOTICE)}</description>`] : []),
    ...placed.map((charger, at) => placemark(charger, names[at] ?? '', options)),
    '</Document>',
    '</kml>',
    '',
  ].join('\n')
}

function placemark(charger: LocatedCharger, name: string, options: ExportOptions): string {
  const { lat, lng } = charger.location
  const data = chargerMembers(charger, options.nowMs)
    .map(([member, value]) => [member, typeof value === 'object' ? (value ?? []).join('; ') : String(value)] as const)
    .filter(([, value]) => value !== '')
  return [
    '<Placemark>',
    `<name>${markupText(name)}</name>`,
    `<description>${markupText(withoutTags(chargerDescription(charger, options)))}</description>`,
    '<ExtendedData>',
    ...data.map(([member, value]) => `<Data name="${member}"><value>${markupText(value)}</value></Data>`),
    '</ExtendedData>',
    `<Point><coordinates>${xmlDecimal(lng)},${xmlDecimal(lat)}</coordinates></Point>`,
    '</Placemark>',
  ].join('\n')
}

/** Viewers take descriptions for HTML, and texts of the service must not become any. */
const withoutTags = (text: string) => text.replaceAll('<', '‹')
