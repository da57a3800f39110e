import { parse } from 'csv-parse/sync'
import sax from 'sax'
import { isPoint } from '../../shared/chargers/distance.ts'
import { MAX_PLACE_NAME, type OwnPlace } from '../../shared/chargers/route/own-places.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import { decodeText, decodeXml } from './decode-text.ts'

/** No waypoint is nested so deeply. */
const MAX_DEPTH = 100

/**
 * The named waypoints in a GPX file (`wpt` and `rtept`, GPX 1.1) or in a SeeYou file (CUP), in its order, the last of each name. A
 * waypoint without a name, or with a position that there is not, is left out. Throws `bad_request` for what is neither, and for a file
 * without any.
 */
export function readWaypoints(bytes: Uint8Array): OwnPlace[] {
  const places = new Map<string, OwnPlace>()
  for (const { name: given, lat, lng } of waypointsIn(bytes)) {
    const name = straightText(given).replace(/\s+/g, ' ').trim().slice(0, MAX_PLACE_NAME)
    if (name !== '' && isPoint({ lat, lng })) places.set(name.toUpperCase(), { name, lat, lng })
  }
  if (places.size === 0) throw new AppError('bad_request', say('places_none'))
  return [...places.values()]
}

function waypointsIn(bytes: Uint8Array): OwnPlace[] {
  try {
    const isXml = /^\s*</.test(decodeText(bytes.subarray(0, 100)))
    return isXml ? inGpx(decodeXml(bytes)) : inCup(decodeText(bytes))
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new AppError('bad_request', say('places_unreadable', { why: raw(why) }), { cause: error })
  }
}

function inGpx(text: string): OwnPlace[] {
  const places: OwnPlace[] = []
  let [depth, pointDepth, isName]: [number, number, boolean] = [0, 0, false]
  const parser = sax.parser(true, { xmlns: true })
  parser.onerror = (error) => {
    throw error
  }
  parser.ondoctype = () => {
    throw new Error('a document type is not allowed')
  }
  parser.onopentag = ({ local, attributes }) => {
    depth += 1
    if (depth > MAX_DEPTH) throw new Error(`more than ${MAX_DEPTH} elements in one another`)
    if (depth === 1 && local !== 'gpx') throw new Error('not GPX')
    isName = pointDepth > 0 && depth === pointDepth + 1 && local === 'name'
    if (local !== 'wpt' && local !== 'rtept') return
    pointDepth = depth
    places.push({ name: '', lat: degrees(attributes['lat']?.value), lng: degrees(attributes['lon']?.value) })
  }
  const add = (more: string) => {
    const place = places.at(-1)
    if (isName && place !== undefined) place.name += more
  }
  parser.ontext = add
  parser.oncdata = add
  parser.onclosetag = () => {
    if (depth === pointDepth) pointDepth = 0
    isName = false
    depth -= 1
  }
  parser.write(text).close()
  return places
}

const degrees = (text: string | undefined) => (text === undefined || text.trim() === '' ? Number.NaN : Number(text))

/** Up to the tasks, which repeat the waypoints. */
function inCup(text: string): OwnPlace[] {
  const [waypoints = ''] = text.split(/^-+ *Related Tasks *-+/im)
  const rows = parse(waypoints, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true })
  const [head = [], ...lines] = rows.map((row) => (row as unknown[]).map(String))
  const names = head.map((cell) => cell.toLowerCase())
  const [name, lat, lng] = ['name', 'lat', 'lon'].map((column) => names.indexOf(column)) as [number, number, number]
  if (Math.min(name, lat, lng) < 0) throw new Error('no columns name, lat and lon')
  return lines.map((row) => ({
    name: row[name] ?? '',
    lat: cupDegrees(row[lat] ?? '', 'S'),
    lng: cupDegrees(row[lng] ?? '', 'W'),
  }))
}

/** "5107.830N": degrees, and minutes with three decimals. */
function cupDegrees(text: string, negative: string): number {
  const [, whole, minutes, side] = /^(\d{2,3})(\d{2}\.\d+)([NSEW])$/i.exec(text) ?? []
  if (whole === undefined) return Number.NaN
  const value = Number(whole) + Number(minutes) / 60
  return side!.toUpperCase() === negative ? -value : value
}
