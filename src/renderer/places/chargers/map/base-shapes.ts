import type { MultiLineString, MultiPolygon, Polygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { lettersOf } from './country-codes.ts'

/** Points in the unit square of Web Mercator: x and y from 0 to 1, y pointing down. */
export interface Line {
  xy: Float64Array
  minX: number
  minY: number
  maxX: number
  maxY: number
}

/** Horizontal room for a country's name around a point; the width is a fraction of the world's. */
export interface NameRoom {
  x: number
  y: number
  width: number
}

export interface CountryName {
  /** ISO 3166-1 alpha-2. */
  country: string
  /** Where the name may stand, the best first. */
  rooms: readonly NameRoom[]
}

export interface BaseShapes {
  /** Polygons: the first line is the outline, the others are holes. */
  land: Line[][]
  coasts: Line[]
  borders: Line[]
  names: CountryName[]
}

type CountryProperties = { name: string }
export type WorldAtlas = Topology<{
  countries: GeometryCollection<CountryProperties>
  land: GeometryCollection
}>

/** The latitude at which Web Mercator ends. */
const MAX_LAT = 85.0511287798
const NAME_ROWS = 15

export function worldX(lng: number): number {
  return lng / 360 + 0.5
}

export function worldY(lat: number): number {
  const sine = Math.sin((Math.min(MAX_LAT, Math.max(-MAX_LAT, lat)) * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

export function baseShapes(atlas: WorldAtlas): BaseShapes {
  const { countries, land } = atlas.objects
  return {
    land: feature(atlas, land).features.flatMap(({ geometry }) =>
      polygonsOf(geometry as Polygon | MultiPolygon).flatMap((rings) => repeated(rings.map(closedRing).map(lineOf))),
    ),
    coasts: linesOf(mesh(atlas, countries, (one, other) => one === other)),
    borders: linesOf(mesh(atlas, countries, (one, other) => one !== other)),
    names: namesOf(atlas),
  }
}

function polygonsOf(geometry: Polygon | MultiPolygon): Position[][][] {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
}

function linesOf({ coordinates }: MultiLineString): Line[] {
  return coordinates.flatMap((positions) => repeated([lineOf(unrolled(positions))])).flat()
}

/** Unwraps longitudes beyond ±180, so that no line jumps to the other side: the atlas does not split shapes there. */
function unrolled(positions: readonly Position[]): Position[] {
  let before: number | null = null
  return positions.map(([lng = 0, lat = 0]) => {
    before = before === null ? lng : lng + 360 * Math.round((before - lng) / 360)
    return [before, lat]
  })
}

/** Closes a ring that goes once around the earth along the edge of the map: that of Antarctica. */
function closedRing(positions: readonly Position[]): Position[] {
  const ring = unrolled(positions)
  const [first, last] = [ring[0], ring.at(-1)]
  if (first === undefined || last === undefined || Math.abs(last[0]! - first[0]!) < 180) return ring
  return [...ring, [last[0]!, -90], [first[0]!, -90]]
}

/** Repeats shapes that reach beyond the world in the worlds beside it, because each world is drawn on its own. */
function repeated(lines: readonly Line[]): Line[][] {
  const least = Math.min(...lines.map(({ minX }) => minX))
  const most = Math.max(...lines.map(({ maxX }) => maxX))
  const turns = [0, ...(least < 0 ? [1] : []), ...(most > 1 ? [-1] : [])]
  return turns.map((turn) => (turn === 0 ? [...lines] : lines.map((line) => turned(line, turn))))
}

function turned({ xy, minX, minY, maxX, maxY }: Line, turn: number): Line {
  return {
    xy: xy.map((value, at) => (at % 2 === 0 ? value + turn : value)),
    minX: minX + turn,
    minY,
    maxX: maxX + turn,
    maxY,
  }
}

function lineOf(positions: readonly Position[]): Line {
  const xy = new Float64Array(positions.length * 2)
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity]
  positions.forEach(([lng = 0, lat = 0], at) => {
    const [x, y] = [worldX(lng), worldY(lat)]
    xy[at * 2] = x
    xy[at * 2 + 1] = y
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
  })
  return { xy, minX, minY, maxX, maxY }
}

function namesOf(atlas: WorldAtlas): CountryName[] {
  const roomiest = new Map<string, CountryName>()
  const widthOf = (name: CountryName | undefined) => name?.rooms[0]?.width ?? 0
  for (const { id, geometry } of feature(atlas, atlas.objects.countries).features) {
    const country = lettersOf(id)
    // Areas without a code, such as disputed territories, stay unnamed.
    if (country === null || geometry === null) continue
    for (const [outline] of polygonsOf(geometry as Polygon | MultiPolygon)) {
      if (outline === undefined) continue
      const name = { country, rooms: roomsIn(lineOf(unrolled(outline))) }
      if (widthOf(name) > widthOf(roomiest.get(country))) roomiest.set(country, name)
    }
  }
  return [...roomiest.values()]
}

/** The widest horizontal span of each row inside an outline, the best first. */
function roomsIn({ xy, minY, maxY }: Line): NameRoom[] {
  const rooms: NameRoom[] = []
  for (let row = 1; row < NAME_ROWS; row += 1) {
    const y = minY + ((maxY - minY) * row) / NAME_ROWS
    const crossings: number[] = []
    for (let at = 0; at + 3 < xy.length; at += 2) {
      const [x1, y1, x2, y2] = [xy[at]!, xy[at + 1]!, xy[at + 2]!, xy[at + 3]!]
      if (y1 > y !== y2 > y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
    }
    crossings.sort((one, other) => one - other)
    let best: NameRoom | null = null
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const [from, to] = [crossings[at]!, crossings[at + 1]!]
      // Rows near the middle look better than those near the ends.
      const width = to - from
      const middling = width * (1 - 0.6 * Math.abs(row / NAME_ROWS - 0.5))
      if (best === null || middling > best.width) best = { x: (from + to) / 2, y, width: middling }
    }
    if (best !== null) rooms.push(best)
  }
  return rooms.sort((one, other) => other.width - one.width)
}
