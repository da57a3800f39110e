import L from 'leaflet'
import type { Marker } from '../data/marker.ts'
import { drawMarker } from './draw-marker.ts'
import type { Drawn, Mark } from './mark.ts'
import type { MarkerColours } from './map-colours.ts'
import { radiusOf } from './marker-shapes.ts'
import { MapLabels } from './map-labels.ts'

/** The tolerance for clicks near a small marker. */
const REACH_PX = 6
const MAX_RATIO = 3
/** How far the canvas extends beyond each edge of the window, so that dragging needs no redraw. */
const BEYOND = 0.2

interface MarkerLayerOptions {
  font: string
  count: (count: number) => string
  /** Called after each drawing while the map stands still. */
  onDrawn: (drawn: readonly Drawn[]) => void
}

/**
 * Draws all markers on one canvas that covers the window and a little more, so its size does not depend on the markers. It is
 * redrawn when the window leaves that area, when the markers change, and when the map stops moving.
 */
export class MarkerLayer extends L.Layer {
  readonly #canvas = document.createElement('canvas')
  readonly #options: MarkerLayerOptions
  /** On the same canvas, because they give way to the markers. */
  readonly labels: MapLabels
  #colours: MarkerColours
  #markers: readonly Marker[] = []
  #shownKey = ''
  #drawn: Drawn[] = []
  #chosen: Mark | null = null
  #highlighted: Mark | null = null
  #frame: number | null = null
  #isZooming = false
  #isMoving = false
  /** The view in which the canvas was drawn; `area` in layer points. */
  #drawnAt: { zoom: number; area: L.Bounds; topLeft: L.LatLng } | null = null

  constructor(colours: MarkerColours, options: MarkerLayerOptions) {
    super({ pane: 'overlayPane' })
    this.#colours = colours
    this.#options = options
    this.#canvas.className = 'chargers-canvas leaflet-zoom-animated'
    this.labels = new MapLabels(options.font, () => this.draw())
  }

  override onAdd(map: L.Map): this {
    map.getPane('overlayPane')?.append(this.#canvas)
    this.draw()
    return this
  }

  override onRemove(): this {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame)
    this.#canvas.remove()
    return this
  }

  override getEvents(): Record<string, L.LeafletEventHandlerFn> {
    return {
      movestart: () => (this.#isMoving = true),
      move: () => this.#covers() || this.draw(),
      moveend: () => {
        this.#isMoving = false
        this.draw()
      },
      zoomend: () => this.#endZoom(),
      viewreset: () => this.draw(),
      resize: () => this.draw(),
      zoomanim: (event) => this.#follow(event as L.ZoomAnimEvent),
    }
  }

  show(markers: readonly Marker[]): void {
    // A zoom or drag that ends often delivers the same markers again.
    const key = JSON.stringify(markers)
    if (key === this.#shownKey) return
    this.#shownKey = key
    this.#markers = markers
    this.draw()
  }

  recolour(colours: MarkerColours): void {
    this.#colours = colours
    this.draw()
  }

  /** Highlights the chosen marker and the hovered or focused one. */
  emphasize(chosen: Mark | null, highlighted: Mark | null): void {
    if (chosen === this.#chosen && highlighted === this.#highlighted) return
    this.#chosen = chosen
    this.#highlighted = highlighted
    this.draw()
  }

  get drawn(): readonly Drawn[] {
    return this.#drawn
  }

  /** The marker at a point of the window; of several, the topmost. */
  at(inWindow: L.Point): Marker | null {
    const { x, y } = this._map.containerPointToLayerPoint(inWindow)
    const hit = this.#drawn.findLast((one) => Math.hypot(one.x - x, one.y - y) <= one.radius + REACH_PX)
    return hit?.marker ?? null
  }

  draw(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null
      if (this._map !== null && !this.#isZooming) this.#drawAll(this._map)
    })
  }

  /** Whether the canvas already covers the window. */
  #covers(): boolean {
    const map = this._map
    if (this.#drawnAt === null || this.#drawnAt.zoom !== map.getZoom()) return false
    const topLeft = map.containerPointToLayerPoint([0, 0])
    return this.#drawnAt.area.contains(L.bounds(topLeft, topLeft.add(map.getSize())))
  }

  #drawAll(map: L.Map): void {
    const beyond = map.getSize().multiplyBy(BEYOND).round()
    const size = map.getSize().add(beyond.multiplyBy(2))
    const ratio = Math.min(devicePixelRatio, MAX_RATIO)
    fit(this.#canvas, size, ratio)
    const corner = map.containerPointToLayerPoint(beyond.multiplyBy(-1))
    L.DomUtil.setPosition(this.#canvas, corner)
    const area = L.bounds(corner, corner.add(size))
    this.#drawnAt = { zoom: map.getZoom(), area, topLeft: map.layerPointToLatLng(corner) }
    const canvas = this.#canvas.getContext('2d')
    if (canvas === null) return
    canvas.setTransform(ratio, 0, 0, ratio, -corner.x * ratio, -corner.y * ratio)
    canvas.clearRect(corner.x, corner.y, size.x, size.y)
    this.#drawn = this.#within(map, area)
    const { font, count } = this.#options
    for (const { marker, x, y } of this.#drawn) {
      const state = { isChosen: marker.key === this.#chosen?.key, isHighlighted: marker.key === this.#highlighted?.key }
      drawMarker(canvas, marker, x, y, state, this.#colours, { font, count })
    }
    for (const mark of [this.#highlighted, this.#chosen]) this.#drawCovered(canvas, map, mark)
    const { min, max } = area as { min: L.Point; max: L.Point }
    const box = { left: min.x, top: min.y, right: max.x, bottom: max.y }
    this.labels.draw(canvas, map, box, this.#drawn, this.#chosen?.key ?? null, this.#colours)
    if (!this.#isMoving) this.#options.onDrawn(this.#drawn)
  }

  /** A dot at the position of a highlighted marker that a cluster hides at this zoom. */
  #drawCovered(canvas: CanvasRenderingContext2D, map: L.Map, mark: Mark | null): void {
    if (mark === null || mark.at === null || this.#drawn.some(({ marker }) => marker.key === mark.key)) return
    const turn = Math.round((map.getCenter().lng - mark.at.lng) / 360)
    const { x, y } = map.latLngToLayerPoint([mark.at.lat, mark.at.lng + turn * 360])
    canvas.beginPath()
    canvas.arc(x, y, 6, 0, Math.PI * 2)
    canvas.fillStyle = this.#colours.accent
    canvas.fill()
    canvas.lineWidth = 2
    canvas.strokeStyle = this.#colours.panel
    canvas.stroke()
  }

  /** The markers in the area, once per visible copy of the world; important and highlighted ones last, so that they are on top. */
  #within(map: L.Map, area: L.Bounds): Drawn[] {
    const { min, max } = area as { min: L.Point; max: L.Point }
    const [west, east] = [map.layerPointToLatLng(min).lng, map.layerPointToLatLng(max).lng]
    const drawn: Drawn[] = []
    for (const marker of this.#markers)
      for (let turn = Math.floor((west - marker.lng) / 360); marker.lng + turn * 360 <= east + 10; turn += 1) {
        const { x, y } = map.latLngToLayerPoint([marker.lat, marker.lng + turn * 360])
        const radius = radiusOf(marker)
        if (x > min.x - radius && y > min.y - radius && x < max.x + radius && y < max.y + radius)
          drawn.push({ marker, turn, x, y, radius })
      }
    const rank = ({ marker: { key }, radius }: Drawn) =>
      key === this.#chosen?.key ? 200 : key === this.#highlighted?.key ? 100 : radius
    return drawn.sort((one, other) => rank(one) - rank(other))
  }

  /** Moves and scales the canvas with the zoom animation; it is redrawn afterwards. */
  #follow({ center, zoom }: L.ZoomAnimEvent): void {
    const map = this._map as L.Map & {
      _latLngToNewLayerPoint(at: L.LatLng, zoom: number, center: L.LatLng): L.Point
    }
    if (this.#drawnAt === null) return
    this.#isZooming = true
    const scale = map.getZoomScale(zoom, this.#drawnAt.zoom)
    const offset = map._latLngToNewLayerPoint(this.#drawnAt.topLeft, zoom, center)
    L.DomUtil.setTransform(this.#canvas, offset, scale)
  }

  #endZoom(): void {
    this.#isZooming = false
    this.draw()
  }
}

function fit(canvas: HTMLCanvasElement, size: L.Point, ratio: number): void {
  const [width, height] = [Math.round(size.x * ratio), Math.round(size.y * ratio)]
  if (canvas.width === width && canvas.height === height) return
  canvas.width = width
  canvas.height = height
  canvas.style.width = `${size.x}px`
  canvas.style.height = `${size.y}px`
}
