import { markupText } from '../../text/safe-characters.ts'
import type { FilePoint } from './charger-texts.ts'

/** GPX 1.1 under a name of the whole: waypoints, or a route through them. */
export function gpxFile(
  points: readonly FilePoint[],
  { name, notice = null, isRoute = false }: { name: string; notice?: string | null; isRoute?: boolean },
): string {
  const about = [element('name', name), ...(notice === null ? [] : [element('desc', notice)])]
  const waypoints = points.map((point) => waypoint(isRoute ? 'rtept' : 'wpt', point))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Hangar" xmlns="http://www.topografix.com/GPX/1/1">',
    '<metadata>',
    ...about,
    '</metadata>',
    ...(isRoute ? ['<rte>', ...about, ...waypoints, '</rte>'] : waypoints),
    '</gpx>',
    '',
  ].join('\n')
}

function waypoint(
  kind: 'wpt' | 'rtept',
  { name, place: { lat, lng }, description, isCharger = false }: FilePoint,
): string {
  // GPX longitudes must be below 180, and a value just below it may round up to 180.
  const lon = xmlDecimal(lng) === '180' ? '-180' : xmlDecimal(lng)
  return [
    `<${kind} lat="${xmlDecimal(lat)}" lon="${lon}">`,
    element('name', name),
    ...(description === undefined ? [] : [element('desc', description)]),
    ...(isCharger ? [element('type', 'Charger')] : []),
    `</${kind}>`,
  ].join('\n')
}

const element = (name: string, text: string) => `<${name}>${markupText(text)}</${name}>`

/** `xsd:decimal` allows no exponents, which numbers get from the seventh decimal on. Six are a tenth of a metre. */
const xmlDecimal = (value: number) => String(Number(value.toFixed(6)))
