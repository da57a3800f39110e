import type L from 'leaflet'
import type { Point } from '../../../../shared/chargers/distance.ts'
import type { CountryName } from './base-shapes.ts'
import { drawNumber, markerBox } from './draw-marker.ts'
import type { MarkerColours } from './map-colours.ts'
import { TURNS, type Drawn } from './mark.ts'
import { placeLabels, placeNames, placeNumbers, type Box, type Label } from './place-labels.ts'

/** Airfields are labelled from this zoom on where there is room. */
const AIRFIELDS_FROM_ZOOM = 7
/** Below this zoom names of countries would cover the map. */
const COUNTRIES_FROM_ZOOM = 3
/** The width of the world at zoom 0, as usual for web maps. */
const WORLD_PX = 256
const MOST_WIDTHS = 5000
/** The dot at an end of a route, with its edge. */
const END_RADIUS_PX = 6

/** The names on the map. They give way to markers and to one another: each is readable, or absent. */
export class MapLabels {
  readonly #font: string
  readonly #onChange: () => void
  readonly #widths = new Map<string, number>()
  #countries: readonly CountryName[] = []
  #isOverStreets = false
  #nameOf: (country: string) => string = () => ''
  #route: readonly Point[] = []

  constructor(font: string, onChange: () => void) {
    this.#font = font
    this.#onChange = onChange
  }

  showCountries(countries: readonly CountryName[]): void {
    this.#countries = countries
    this.#onChange()
  }

  say(language: string): void {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    this.#nameOf = (country) => names.of(country) ?? ''
    this.#onChange()
  }

  /** Street tiles have names of their own. */
  setOverStreets(isOverStreets: boolean): void {
    this.#isOverStreets = isOverStreets
    this.#onChange()
  }

  /** The places along a route: those between its ends are numbered. */
  showRoute(places: readonly Point[]): void {
    this.#route = places
    this.#onChange()
  }

  draw(
    canvas: CanvasRenderingContext2D,
    map: L.Map,
    area: Box,
    drawn: readonly Drawn[],
    chosenKey: string | null,
    colours: MarkerColours,
  ): void {
    const places = this.#routeOn(map)
    const [ends, stops] = [places.filter(({ isEnd }) => isEnd), places.filter(({ isEnd }) => !isEnd)]
    const numbers = placeNumbers(stops, [...drawn, ...ends])
    for (const { text, x, y } of numbers) drawNumber(canvas, text, x, y, colours, this.#font)
    canvas.font = `500 11px ${this.#font}`
    canvas.textAlign = 'center'
    canvas.textBaseline = 'middle'
    canvas.lineJoin = 'round'
    canvas.lineWidth = 3
    const widthOf = (text: string) => this.#widthOf(canvas, text)
    const zoom = map.getZoom()
    const boxes = drawn.map(({ marker, x, y }) => markerBox(marker, x, y, marker.key === chosenKey))
    const endBoxes = ends.map(({ x, y, radius }) => boxAround(x, y, radius))
    const taken = [...boxes, ...endBoxes, ...numbers.map(({ box }) => box)]
    const marks = drawn.flatMap(({ marker, x }, at) => {
      const text = marker.kind === 'site' ? (marker.icao ?? marker.airfield) : null
      return text === null ? [] : [{ text: text.slice(0, 24), x, bottom: boxes[at]!.bottom }]
    })
    const labels = zoom < AIRFIELDS_FROM_ZOOM ? [] : placeLabels(marks.reverse(), taken, widthOf)
    write(canvas, labels, colours.text, colours.shadow)
    if (zoom < COUNTRIES_FROM_ZOOM || this.#isOverStreets) return
    taken.push(...labels.map(({ box }) => box))
    const size = WORLD_PX * 2 ** zoom
    const origin = map.getPixelOrigin()
    const { min, max } = map.getPixelBounds() as { min: L.Point; max: L.Point }
    for (let turn = Math.floor(min.x / size); turn * size <= max.x; turn += 1) {
      const world = { left: turn * size - origin.x, top: -origin.y, size }
      const names = placeNames(this.#countries, taken, world, area, { nameOf: this.#nameOf, widthOf })
      write(canvas, names, colours.name, colours.shadow)
    }
  }

  #routeOn(map: L.Map) {
    return TURNS.flatMap((turn) =>
      this.#route.map(({ lat, lng }, at) => {
        const { x, y } = map.latLngToLayerPoint([lat, lng + turn])
        return { text: String(at), x, y, radius: END_RADIUS_PX, isEnd: at === 0 || at === this.#route.length - 1 }
      }),
    )
  }

  #widthOf(canvas: CanvasRenderingContext2D, text: string): number {
    const known = this.#widths.get(text) ?? canvas.measureText(text).width
    if (this.#widths.size > MOST_WIDTHS) this.#widths.clear()
    this.#widths.set(text, known)
    return known
  }
}

function boxAround(x: number, y: number, radius: number): Box {
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }
}

function write(canvas: CanvasRenderingContext2D, labels: readonly Label[], colour: string, shadow: string): void {
  canvas.strokeStyle = shadow
  canvas.fillStyle = colour
  for (const { text, x, y } of labels) {
    canvas.strokeText(text, x, y)
    canvas.fillText(text, x, y)
  }
}
