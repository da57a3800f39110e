import { anglesOf } from '../coordinates.ts'
import { plainText } from '../../text/safe-characters.ts'
import type { FilePoint } from './charger-texts.ts'

const HEAD = 'name,code,country,lat,lon,elev,style,rwdir,rwlen,freq,desc'
/** "Waypoint": the styles of airfields name the surface of a runway, which is not in the data. */
const STYLE = 1

/**
 * SeeYou waypoints in UTF-8 (github.com/naviter/seeyou_file_formats, CUP 1.2), and a task through all points in order. Fields that are not
 * in the data are empty.
 */
export function cupFile(points: readonly FilePoint[], task: string | null = null): string {
  const names = uniqueNames(points, task !== null)
  const written = new Set<string>()
  const waypoints = points.flatMap((point, at) => {
    const name = names[at]!
    if (written.has(name)) return []
    written.add(name)
    return [waypoint(point, name)]
  })
  // Take-off and landing are columns of their own, in addition to start and finish.
  const through = [names[0], ...names, names.at(-1)].filter((name) => name !== undefined)
  const tasks = task === null ? [] : ['-----Related Tasks-----', [task, ...through].map(quoted).join(',')]
  return [HEAD, ...waypoints, ...tasks].map((line) => `${line}\r\n`).join('')
}

function waypoint({ icao = null, place, description = '' }: FilePoint, name: string): string {
  // "5107.830N", "00405.003W".
  const angles = anglesOf(place, 3).map(({ side, whole, minutes }) => `${whole}${minutes}${side}`)
  return [quoted(name), quoted(icao ?? ''), '', ...angles, '', STYLE, '', '', '', quoted(description)].join(',')
}

/** Names are unique in a file and not empty; visits of one place may share a waypoint. */
function uniqueNames(points: readonly FilePoint[], mayShare: boolean): string[] {
  const placeOf = new Map<string, string>()
  return points.map(({ name, place }, at) => {
    const base = cupText(name) || 'Waypoint'
    const here = mayShare ? `${place.lat},${place.lng}` : String(at)
    let unique = base
    for (let copy = 2; (placeOf.get(unique) ?? here) !== here; copy += 1) unique = `${base} [${copy}]`
    placeOf.set(unique, here)
    return unique
  })
}

const quoted = (text: string) => `"${cupText(text)}"`

/** On one line and without quotation marks, for which readers have no common way of escaping. */
function cupText(text: string): string {
  return plainText(text.toWellFormed())
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('"', "'")
    .trim()
}
