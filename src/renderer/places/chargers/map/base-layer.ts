import L from 'leaflet'
import { readColour } from '../../../parts/colours.ts'
import { partMissing } from '../../../store/page-trouble.ts'
import address from 'virtual:base-map'
import { readBaseMap, type BaseMap, type Encoded } from './base-map.ts'
import { BASE_COLOURS, drawBase, type BaseColours } from './draw-base.ts'

/** Drawn beyond each edge of the window, as a share of its size, so that a drag does not lay open what is not drawn. */
const BEYOND = 0.15
const WORLD_PX = 256
/** Under street tiles. Styled as `leaflet-base-pane`. */
const PANE = 'base'

/** The world on one canvas, which is drawn again wherever the map comes to rest. */
export class BaseLayer {
  readonly #map: L.Map
  readonly #canvas = document.createElement('canvas')
  readonly #overlay: L.SVGOverlay
  #base: BaseMap | null = null
  #drawn = L.bounds([0, 0], [0, 0])
  #colours: BaseColours
  #nameOf: (country: string) => string = (country) => country

  constructor(map: L.Map, language: string) {
    this.#map = map
    map.createPane(PANE)
    this.#colours = coloursIn(map.getContainer())
    // An overlay takes any element, and keeps it in place while the map moves and zooms.
    const element = this.#canvas as unknown as SVGElement
    this.#overlay = L.svgOverlay(element, map.getBounds(), { pane: PANE }).addTo(map)
    map.on('moveend resize', () => this.draw())
    map.on('move', () => {
      if (!this.#drawn.contains(this.#window(0))) this.draw()
    })
    this.say(language)
    this.#load().catch(partMissing)
  }

  /** Part of Hangar: nothing is asked for elsewhere. */
  async #load(): Promise<void> {
    const response = await fetch(address)
    this.#base = readBaseMap((await response.json()) as Encoded)
    this.draw()
  }

  say(language: string): void {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    this.#nameOf = (country) => names.of(country) ?? country
    this.draw()
  }

  /** The theme has changed. */
  recolour(): void {
    this.#colours = coloursIn(this.#map.getContainer())
    this.draw()
  }

  /** In layer points. */
  #window(beyond: number): L.Bounds {
    const size = this.#map.getSize()
    const first = this.#map.containerPointToLayerPoint(size.multiplyBy(-beyond)).floor()
    return L.bounds(first, first.add(size.multiplyBy(1 + 2 * beyond).ceil()))
  }

  draw(): void {
    const canvas = this.#canvas.getContext('2d', { alpha: false })
    const zoom = this.#map.getZoom()
    if (this.#base === null || canvas === null || !Number.isInteger(zoom)) return
    this.#drawn = this.#window(BEYOND)
    const [topLeft, size] = [this.#drawn.getTopLeft(), this.#drawn.getSize()]
    const ratio = Math.min(devicePixelRatio, 2)
    this.#canvas.width = size.x * ratio
    this.#canvas.height = size.y * ratio
    const corner = topLeft.add(this.#map.getPixelOrigin())
    canvas.setTransform(ratio, 0, 0, ratio, 0, 0)
    const view = {
      zoom,
      world: WORLD_PX * 2 ** zoom,
      left: -corner.x,
      top: -corner.y,
      width: size.x,
      height: size.y,
      font: getComputedStyle(this.#map.getContainer()).fontFamily,
      nameOf: this.#nameOf,
    }
    drawBase(canvas, this.#base, view, this.#colours)
    this.#overlay.setBounds(
      L.latLngBounds(this.#map.layerPointToLatLng(topLeft), this.#map.layerPointToLatLng(this.#drawn.getBottomRight())),
    )
  }
}

function coloursIn(container: HTMLElement): BaseColours {
  const probe = container.appendChild(document.createElement('span'))
  const colour = readColour(probe)
  const colours = BASE_COLOURS.map((name) => [name, colour(`var(--map-${name})`)] as const)
  probe.remove()
  return Object.fromEntries(colours) as BaseColours
}
