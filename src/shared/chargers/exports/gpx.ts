import type { ChargePoint } from '../../charger.ts'
import { chargerName, withPlace, type LocatedCharger } from './charger-texts.ts'
import { SAMPLE_NOTICE, collectionName, type ExportOptions } from './sample-notice.ts'
import { xmlDecimal, xmlText } from './xml.ts'

/** GPX 1.1 waypoints, one for each charger with coordinates; the others are left out. */
export function chargersGpx(chargers: readonly ChargePoint[], options: ExportOptions): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Hangar" xmlns="http://www.topografix.com/GPX/1/1">',
    '<metadata>',
    `<name>${xmlText(collectionName(options))}</name>`,
    ...(options.sample ? [`<desc>${xmlText(SAMPLE_NOTICE)}</desc>`] : []),
    '</metadata>',
    ...withPlace(chargers).map((charger) => waypoint(charger, options)),
    '</gpx>',
    '',
  ].join('\n')
}

function waypoint(charger: LocatedCharger, { sample }: ExportOptions): string {
  const { lat, lng } = charger.location
  // A device shows little else of a waypoint, so the notice stands in each, and first.
  const facts = [sample ? SAMPLE_NOTICE : null, charger.type, powerText(charger.kw), charger.connectors.join(', ')]
  const description = facts.filter((fact) => fact !== null && fact !== '').join('. ')
  // GPX ends longitudes below 180, and what is almost that is rounded to it.
  const lon = xmlDecimal(lng) === '180' ? '-180' : xmlDecimal(lng)
  return [
    `<wpt lat="${xmlDecimal(lat)}" lon="${lon}">`,
    `<name>${xmlText(chargerName(charger))}</name>`,
    ...(description === '' ? [] : [`<desc>${xmlText(description)}</desc>`]),
    '<type>Charger</type>',
    '</wpt>',
  ].join('\n')
}

function powerText(kw: string | null): string | null {
  return kw === null ? null : /kw/i.test(kw) ? kw : `${kw} kW`
}
