import { distanceNm, isPoint } from '../../shared/chargers/distance.ts'
import { MAX_PLACE_NAME, type OwnPlace } from '../../shared/chargers/route/own-places.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import { decodeText, latin1 } from './decode-text.ts'
import { readCells } from './read-cells.ts'
import { readXml } from './read-xml.ts'

/** `note` is its description, empty without one. */
export interface Waypoint extends OwnPlace {
  note: string
}

/** Waypoints that are nearer to each other are at one place. */
export const NEAR_NM = 1

export interface ReadWaypoints {
  places: Waypoint[]
  /** Of the names that they have, which may be empty. */
  leftOut: { name: string; why: Sentence }[]
}

/** As it stands in a file. */
type Found = Waypoint & { position: string }

/**
 * The named waypoints of a GPX (`wpt`, `rtept`) or SeeYou file (CUP), in its order, each name once. What has no name or no possible position
 * is left out, and what has one name at several places. Throws `bad_request` for what is neither, and for a file without any.
 */
export function readWaypoints(bytes: Uint8Array): ReadWaypoints {
  const leftOut: ReadWaypoints['leftOut'] = []
  const named: Waypoint[] = []
  for (const { name: given, lat, lng, note, position } of waypointsIn(bytes)) {
    const name = plain(given).slice(0, MAX_PLACE_NAME).toWellFormed()
    if (name === '' || !isPoint({ lat, lng }))
      leftOut.push({ name, why: say('waypoint_nowhere', { name: name || '–', position }) })
    // What a charger is called in a note stands at its end.
    else named.push({ name, lat, lng, note: plain(note).slice(-MAX_NOTE).toWellFormed() })
  }
  const read = oncePerName(named, leftOut)
  if (read.places.length > 0) return read
  const [first] = read.leftOut
  const why =
    first === undefined ? say('places_none') : say('waypoints_left', { count: read.leftOut.length, first: first.why })
  throw new AppError('bad_request', why)
}

/** The last of each name, whatever its case, where all of it are at one place; the others are left out. */
export function oncePerName(named: readonly Waypoint[], leftOut: ReadWaypoints['leftOut']): ReadWaypoints {
  const read: ReadWaypoints = { places: [], leftOut: [...leftOut] }
  for (const [, alike] of Map.groupBy(named, ({ name }) => name.toUpperCase())) {
    const last = alike.at(-1)!
    const other = alike.find((one) => (distanceNm(one, last) ?? Infinity) > NEAR_NM)
    if (other === undefined) read.places.push(last)
    else {
      const [one, two] = [other, last].map(({ lat, lng }) => `${lat}, ${lng}`) as [string, string]
      read.leftOut.push({ name: last.name, why: say('waypoint_twice', { name: last.name, one, two }) })
    }
  }
  return read
}

/** The limit of a note in UTF-16 units. */
const MAX_NOTE = 500

const plain = (text: string) => straightText(text).replace(/\s+/g, ' ').trim()

function waypointsIn(bytes: Uint8Array): Found[] {
  try {
    return startsXml(bytes) ? inGpx(decodeText(bytes)) : inCup(bytes)
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    const sentence = error instanceof AppError ? error.sentence : raw(why)
    throw new AppError('bad_request', say('places_unreadable', { why: sentence }), { cause: error })
  }
}

/** In UTF-8 or UTF-16, with a byte order mark or without. */
function startsXml(bytes: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</.test(latin1(bytes.subarray(0, 100)))
}

function inGpx(text: string): Found[] {
  const places: Found[] = []
  let [depth, pointDepth]: [number, number] = [0, 0]
  let into: 'name' | 'note' | null = null
  readXml(text, {
    open({ local, attributes }, at) {
      depth = at
      if (depth === 1 && local !== 'gpx') throw new Error('not GPX')
      into = pointDepth > 0 && depth === pointDepth + 1 ? (TEXTS[local] ?? null) : null
      if (local !== 'wpt' && local !== 'rtept') return
      pointDepth = depth
      const [lat = '', lng = ''] = [attributes['lat']?.value, attributes['lon']?.value]
      places.push({ name: '', lat: degrees(lat), lng: degrees(lng), note: '', position: `${lat}, ${lng}` })
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

const degrees = (text: string) => (/^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$/.test(text) ? Number(text) : Number.NaN)

/** The columns of a file without a header, or with one in other words. */
const USUAL = { name: 0, country: 2, lat: 3, lng: 4, note: 10 }

/** Up to the tasks, which repeat the waypoints. A file that is not in Unicode has the letters of its countries, or of western Europe. */
function inCup(bytes: Uint8Array): Found[] {
  const countries = () => {
    const { lines, country } = cupTable(latin1(bytes))
    const codes = [...new Set(lines.map((row) => row[country] ?? ''))].filter((code) => /^[A-Z]{2}$/i.test(code))
    return codes.map((region) => new Intl.Locale('und', { region }).maximize().language)
  }
  const text = decodeText(bytes, () => ['en', ...countries()])
  const { lines, name, lat, lng, note } = cupTable(text)
  return lines
    .filter((row) => row.some((cell) => cell !== ''))
    .map((row) => ({
      name: row[name] ?? '',
      lat: cupDegrees(row[lat] ?? '', 'NS'),
      lng: cupDegrees(row[lng] ?? '', 'EW'),
      note: row[note] ?? '',
      position: `${row[lat] ?? ''} ${row[lng] ?? ''}`.trim(),
    }))
}

function cupTable(text: string) {
  const [waypoints = ''] = text.split(/^-+ *Related Tasks *-+/im)
  const all = readCells(waypoints, ',', { isLoose: true })
  const names = (all[0] ?? []).map((cell) => cell.toLowerCase())
  const [name, lat, lng] = ['name', 'lat', 'lon'].map((column) => names.indexOf(column)) as [number, number, number]
  if (Math.min(name, lat, lng) >= 0)
    return { lines: all.slice(1), name, lat, lng, country: names.indexOf('country'), note: names.indexOf('desc') }
  const first = all
    .slice(0, 2)
    .findIndex((row) => DEGREES.test(row[USUAL.lat] ?? '') && DEGREES.test(row[USUAL.lng] ?? ''))
  if (first === -1) throw new Error('no columns name, lat and lon')
  return { lines: all.slice(first), ...USUAL }
}

/** "5107.830N": degrees, and minutes with three decimals. */
const DEGREES = /^(\d{2,3})(\d{2}\.\d+)([NSEW])$/i

function cupDegrees(text: string, sides: 'NS' | 'EW'): number {
  const [, whole, minutes, given = ''] = DEGREES.exec(text) ?? []
  const side = given === '' ? -1 : sides.indexOf(given.toUpperCase())
  if (side === -1 || Number(minutes) >= 60) return Number.NaN
  return (Number(whole) + Number(minutes) / 60) * (side === 1 ? -1 : 1)
}
