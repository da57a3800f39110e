import type { ChargePoint } from '../charger.ts'
import { chargerNames, openingHoursText, stateText, withPlace, type LocatedCharger } from './charger-texts.ts'
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

function waypoint(charger: LocatedCharger, name: string, { sample, nowMs }: ExportOptions): string {
  const { lat, lng } = charger.location
  // Devices show little else of a waypoint, so each one starts with the notice.
  const facts = [
    sample ? SAMPLE_NOTICE : null,
    charger.type,
    powerText(charger.kw),
    charger.connectors.join(', '),
    stateText(charger, nowMs),
    openingHoursText(charger.availability),
    `Charger ${charger.id}`,
  ]
  const description = facts.filter((fact) => fact !== null && fact !== '').join('. ')
  // GPX longitudes must be below 180, and a value just below it may round up to 180.
  const lon = xmlDecimal(lng) === '180' ? '-180' : xmlDecimal(lng)
  return [
    `<wpt lat="${xmlDecimal(lat)}" lon="${lon}">`,
    `<name>${markupText(name)}</name>`,
    `<desc>${markupText(description)}</desc>`,
    '<type>Charger</type>',
    '</wpt>',
  ].join('\n')
}

function powerText(kw: string | null): string | null {
  return kw === null ? null : /kw/i.test(kw) ? kw : `${kw} kW`
}
