import { isPoint } from '../../shared/chargers/distance.ts'
import { MAX_PLACE_NAME } from '../../shared/chargers/route/own-places.ts'
import type { Waypoint } from '../../shared/chargers/waypoints.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import { decodeText, decodeXml } from './decode-text.ts'
import { readCells } from './read-cells.ts'
import { readXml } from './read-xml.ts'

/**
 * The named waypoints in a GPX file (`wpt` and `rtept`, GPX 1.1) or in a SeeYou file (CUP), in its order, the last of each name. A
 * waypoint without a name, or with a position that there is not, is left out. Throws `bad_request` for what is neither, and for a file
 * without any.
 */
export function readWaypoints(bytes: Uint8Array): Waypoint[] {
  const places = new Map<string, Waypoint>()
  for (const { name: given, lat, lng, note } of waypointsIn(bytes)) {
    const name = plain(given).slice(0, MAX_PLACE_NAME).toWellFormed()
    // What a charger is called in a note stands at its end.
    if (name !== '' && isPoint({ lat, lng }))
      places.set(name.toUpperCase(), { name, lat, lng, note: plain(note).slice(-MAX_NOTE).toWellFormed() })
  }
  if (places.size === 0) throw new AppError('bad_request', say('places_none'))
  return [...places.values()]
}

/** The limit of a note in UTF-16 units. */
export const MAX_NOTE = 500

const plain = (text: string) => straightText(text).replace(/\s+/g, ' ').trim()

function waypointsIn(bytes: Uint8Array): Waypoint[] {
  try {
    return startsXml(bytes) ? inGpx(decodeXml(bytes)) : inCup(decodeText(bytes))
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new AppError('bad_request', say('places_unreadable', { why: raw(why) }), { cause: error })
  }
}

/** In UTF-8 or UTF-16, with a byte order mark or without. */
function startsXml(bytes: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</.test(Buffer.from(bytes.subarray(0, 100)).toString('latin1'))
}

function inGpx(text: string): Waypoint[] {
  const places: Waypoint[] = []
  let [depth, pointDepth]: [number, number] = [0, 0]
  let into: 'name' | 'note' | null = null
  readXml(text, {
    open({ local, attributes }, at) {
      depth = at
      if (depth === 1 && local !== 'gpx') throw new Error('not GPX')
      into = pointDepth > 0 && depth === pointDepth + 1 ? (TEXTS[local] ?? null) : null
      if (local !== 'wpt' && local !== 'rtept') return
      pointDepth = depth
      places.push({
        name: '',
        lat: degrees(attributes['lat']?.value),
        lng: degrees(attributes['lon']?.value),
        note: '',
      })
    },
    text(more) {
      const place = places.at(-1)
      if (into !== null && place !== undefined) place[into] += more
    },
    close() {
      if (depth === pointDepth) pointDepth = 0
      into = null
      depth -= 1
    },
  })
  return places
}

const TEXTS: Readonly<Partial<Record<string, 'name' | 'note'>>> = { name: 'name', desc: 'note' }

const degrees = (text: string | undefined) => (text === undefined || text.trim() === '' ? Number.NaN : Number(text))

/** Up to the tasks, which repeat the waypoints. */
function inCup(text: string): Waypoint[] {
  const [waypoints = ''] = text.split(/^-+ *Related Tasks *-+/im)
  const [head = [], ...lines] = readCells(waypoints, ',', { isLoose: true })
  const names = head.map((cell) => cell.toLowerCase())
  const [name, lat, lng] = ['name', 'lat', 'lon'].map((column) => names.indexOf(column)) as [number, number, number]
  if (Math.min(name, lat, lng) < 0) throw new Error('no columns name, lat and lon')
  const note = names.indexOf('desc')
  return lines.map((row) => ({
    name: row[name] ?? '',
    lat: cupDegrees(row[lat] ?? '', 'S'),
    lng: cupDegrees(row[lng] ?? '', 'W'),
    note: row[note] ?? '',
  }))
}

/** "5107.830N": degrees, and minutes with three decimals. */
function cupDegrees(text: string, negative: string): number {
  const [, whole, minutes, side] = /^(\d{2,3})(\d{2}\.\d+)([NSEW])$/i.exec(text) ?? []
  if (whole === undefined) return Number.NaN
  const value = Number(whole) + Number(minutes) / 60
  return side!.toUpperCase() === negative ? -value : value
}
