import type L from 'leaflet'
import type { CountryName } from './base-shapes.ts'
import { markerBox } from './draw-marker.ts'
import type { MarkerColours } from './map-colours.ts'
import type { Drawn } from './mark.ts'
import { placeLabels, placeNames, type Box, type Label } from './place-labels.ts'

/** Airfields are labelled from this zoom on where there is room. */
const AIRFIELDS_FROM_ZOOM = 7
/** Below this zoom names of countries would cover the map. */
const COUNTRIES_FROM_ZOOM = 3
/** The width of the world at zoom 0, as usual for web maps. */
const WORLD_PX = 256
const MOST_WIDTHS = 5000

/** The names on the map. They give way to markers and to one another: each is readable, or absent. */
export class MapLabels {
  readonly #font: string
  readonly #onChange: () => void
  readonly #widths = new Map<string, number>()
  #countries: readonly CountryName[] = []
  #isOverStreets = false
  #nameOf: (country: string) => string = () => ''
  #others: readonly (readonly [lat: number, lng: number, box: Box])[] = []

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

  /** What else lies over the map: boxes around places. */
  avoid(others: readonly (readonly [lat: number, lng: number, box: Box])[]): void {
    this.#others = others
    this.#onChange()
  }

  draw(
    canvas: CanvasRenderingContext2D,
    map: L.Map,
    drawn: readonly Drawn[],
    chosenKey: string | null,
    colours: MarkerColours,
  ): void {
    canvas.font = `500 11px ${this.#font}`
    canvas.textAlign = 'center'
    canvas.textBaseline = 'middle'
    canvas.lineJoin = 'round'
    canvas.lineWidth = 3
    const widthOf = (text: string) => this.#widthOf(canvas, text)
    const zoom = map.getZoom()
    const boxes = drawn.map(({ marker, x, y }) => markerBox(marker, x, y, marker.key === chosenKey))
    const taken = [...boxes, ...this.#boxesOfOthers(map)]
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
      const names = placeNames(this.#countries, taken, world, { nameOf: this.#nameOf, widthOf })
      write(canvas, names, colours.name, colours.shadow)
    }
  }

  #boxesOfOthers(map: L.Map): Box[] {
    return this.#others.map(([lat, lng, box]) => {
      const { x, y } = map.latLngToLayerPoint([lat, lng])
      return { left: x + box.left, right: x + box.right, top: y + box.top, bottom: y + box.bottom }
    })
  }

  #widthOf(canvas: CanvasRenderingContext2D, text: string): number {
    const known = this.#widths.get(text) ?? canvas.measureText(text).width
    if (this.#widths.size > MOST_WIDTHS) this.#widths.clear()
    this.#widths.set(text, known)
    return known
  }
}

function write(canvas: CanvasRenderingContext2D, labels: readonly Label[], colour: string, shadow: string): void {
  canvas.strokeStyle = shadow
  canvas.fillStyle = colour
  for (const { text, x, y } of labels) {
    canvas.strokeText(text, x, y)
    canvas.fillText(text, x, y)
  }
}
