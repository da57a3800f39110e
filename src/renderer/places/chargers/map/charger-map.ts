// Must come first: it allows what Leaflet needs.
import '../data/trusted.ts'
import L from 'leaflet'
import type { Bounds } from '../../../../shared/chargers/filter.ts'
import type { Point } from '../../../../shared/chargers/distance.ts'
import type { Marker } from '../data/marker.ts'
import { BaseLayer } from './base-layer.ts'
import { mapColours } from './map-colours.ts'
import { MarkerButtons, type MarkerWords } from './marker-buttons.ts'
import type { Drawn, Mark } from './mark.ts'
import { MarkerLayer } from './marker-layer.ts'
import { cornersOf, RangeRing, type Ring } from './ring.ts'
import { RouteLines, type ShownRoutes } from './route-lines.ts'

interface MapView {
  centre: Point
  zoom: number
}

export interface MapWords extends MarkerWords {
  language: string
  map: string
  ringCentre: string
  count: (count: number) => string
}

export interface MapEvents {
  /** Requests the markers of this area; called often while the map moves. */
  onNeed: (bounds: Bounds, zoom: number) => void
  /** The map has stopped moving. `byPerson` is false for moves that the page made. */
  onView: (view: MapView, byPerson: boolean) => void
  /** A marker was chosen by its button. */
  onChoose: (marker: Marker) => void
  /** The map was clicked, on a marker or beside all of them. */
  onClick: (marker: Marker | null, at: Point) => void
  /** Enter was pressed on the map, whose middle is at `at`; false if it means nothing now. */
  onEnter: (at: Point) => boolean
  onHighlight: (marker: Marker | null) => void
  onRingMoved: (centre: Point) => void
}

/** At this zoom the whole world is 256 pixels wide, which narrow windows need to show all of it. */
const MIN_ZOOM = 0
const WORLD_PX = 256
const WORLD_CENTRE = { lat: 25, lng: 10 }
/** From 56° S to 78° N, as a share of the whole height. */
const WORLD_HEIGHT = 0.6
const MAX_WORLD_ZOOM = 2
const BUTTONS_WITHIN_MS = 250
const MAX_ZOOM = 14
const MAX_STREET_ZOOM = 18
/** The limit of Web Mercator; positions beyond it are shown at its edge. */
const MAX_LAT = 85.0511
/** The interval between requests for markers while the map moves. */
const NEED_EVERY_MS = 120
/** Markers are requested for this much beyond the window, so that small movements show them at once. */
const PADDING = 0.4
const RING_MARGIN_PX = 24
/** Clear of the notice above, of the controls at the right and of the scale. */
const PLACES_TOP_LEFT: L.PointTuple = [44, 60]
const PLACES_BOTTOM_RIGHT: L.PointTuple = [68, 44]
/** Without streets the map only has coasts and borders: this much of it shows where a place is. */
const NEAR_DEGREES = 5
const NEAR_ZOOM = 7
const NEAR_STREET_ZOOM = 13
/** The closest zoom when showing several places, however close together they are. */
const PLACES_ZOOM = 10

/** The map itself: a wrapper around Leaflet that knows nothing about the page. */
export class ChargerMap {
  readonly #map: L.Map
  readonly #base: BaseLayer
  readonly #markers: MarkerLayer
  readonly #buttons: MarkerButtons
  readonly #ring: RangeRing
  readonly #routes: RouteLines
  readonly #events: MapEvents
  readonly #isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  #streets: { url: string; layer: L.TileLayer } | null = null
  #words: MapWords
  #lastNeedMs = 0
  #idle = 0
  #isOrdered = false

  constructor(container: HTMLElement, view: MapView, words: MapWords, events: MapEvents) {
    // Fading tiles would redraw the whole window in every frame.
    const motion = this.#isCalm ? { zoomAnimation: false, inertia: false } : {}
    this.#map = L.map(container, {
      attributionControl: false,
      zoomControl: false,
      fadeAnimation: false,
      minZoom: MIN_ZOOM,
      maxZoom: MAX_ZOOM,
      worldCopyJump: true,
      maxBounds: [
        [-MAX_LAT, -Infinity],
        [MAX_LAT, Infinity],
      ],
      maxBoundsViscosity: 1,
      doubleClickZoom: true,
      wheelPxPerZoomLevel: 90,
      ...motion,
    })
    this.#events = events
    this.#words = words
    const colours = mapColours(container)
    this.#map.setView([view.centre.lat, view.centre.lng], view.zoom, { animate: false })
    this.#markers = new MarkerLayer(colours.markers, {
      font: getComputedStyle(container).fontFamily,
      count: (count) => this.#words.count(count),
      onDrawn: (drawn) => this.#updateButtons(drawn),
    })
    this.#markers.labels.say(words.language)
    this.#base = new BaseLayer(colours.base, (names) => this.#markers.labels.showCountries(names)).addTo(this.#map)
    this.#buttons = new MarkerButtons(this.#map, {
      onHighlight: events.onHighlight,
      onChoose: (marker) => {
        // The cluster splits and its button disappears.
        if (marker.kind === 'cluster') this.#buttons.focusAfter(marker)
        events.onChoose(marker)
      },
    })
    this.#markers.addTo(this.#map)
    this.#ring = new RangeRing(this.#map, events.onRingMoved)
    this.#routes = new RouteLines(this.#map)
    this.#listen()
    this.#buttons.say(words)
    container.setAttribute('aria-label', words.map)
    this.#need()
  }

  #listen(): void {
    const map = this.#map
    const at = (event: L.LeafletMouseEvent) => this.#markers.at(event.containerPoint)
    map.on('click', (event) => {
      const { lat, lng } = event.latlng.wrap()
      this.#events.onClick(at(event), { lat, lng })
    })
    map.getContainer().addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.target !== map.getContainer()) return
      // Otherwise the same key press would also work what gets the focus now.
      if (this.#events.onEnter(this.#centre())) event.preventDefault()
    })
    map.on('mousemove', (event) => {
      const marker = at(event)
      map.getContainer().classList.toggle('over-marker', marker !== null)
      this.#events.onHighlight(marker)
    })
    map.on('mouseout', () => this.#events.onHighlight(null))
    map.on('move', () => {
      if (performance.now() - this.#lastNeedMs > NEED_EVERY_MS) this.#need()
    })
    map.on('zoomanim', ({ center, zoom }) => {
      const half = map.getSize().divideBy(2)
      const middle = map.project(center, zoom)
      this.#needWithin(map.unproject(middle.subtract(half), zoom), map.unproject(middle.add(half), zoom), zoom)
    })
    map.on('moveend', () => {
      this.#need()
      this.#events.onView({ centre: this.#centre(), zoom: map.getZoom() }, !this.#isOrdered)
      this.#isOrdered = false
    })
  }

  #centre(): Point {
    const { lat, lng } = this.#map.getCenter().wrap()
    return { lat, lng }
  }

  /** A person is choosing a point of it. */
  setPicking(isPicking: boolean): void {
    this.#map.getContainer().classList.toggle('picking', isPicking)
  }

  /** Invisible, so it yields to visible updates. */
  #updateButtons(drawn: readonly Drawn[]): void {
    cancelIdleCallback(this.#idle)
    this.#idle = requestIdleCallback(() => this.#buttons.update(drawn), { timeout: BUTTONS_WITHIN_MS })
  }

  #need(): void {
    const bounds = this.#map.getBounds()
    this.#needWithin(bounds.getNorthWest(), bounds.getSouthEast(), this.#map.getZoom())
  }

  #needWithin(northWest: L.LatLng, southEast: L.LatLng, zoom: number): void {
    this.#lastNeedMs = performance.now()
    const padded = L.latLngBounds(northWest, southEast).pad(PADDING)
    const bounds = {
      west: padded.getWest(),
      east: padded.getEast(),
      south: padded.getSouth(),
      north: padded.getNorth(),
    }
    this.#events.onNeed(bounds, Math.round(zoom))
  }

  /** The matches have changed: requests the markers in the window again. */
  refresh(): void {
    this.#need()
  }

  show(markers: readonly Marker[]): void {
    this.#markers.show(markers)
  }

  emphasize(chosen: Mark | null, highlighted: Mark | null): void {
    this.#markers.emphasize(chosen, highlighted)
  }

  showRing(ring: Ring | null): void {
    this.#ring.show(ring, this.#words.ringCentre)
  }

  showRoutes(shown: ShownRoutes): void {
    this.#routes.show(shown)
    this.#markers.labels.showRoute(this.#routes.points)
  }

  say(words: MapWords): void {
    const isOther = words.language !== this.#words.language
    this.#words = words
    this.#map.getContainer().setAttribute('aria-label', words.map)
    this.#buttons.say(words)
    if (isOther) this.#markers.labels.say(words.language)
  }

  /** The theme has changed. */
  recolour(): void {
    const colours = mapColours(this.#map.getContainer())
    this.#base.recolour(colours.base)
    this.#markers.recolour(colours.markers)
  }

  /** Shows street tiles over the base map; null removes them. Their server learns which area is viewed. */
  showStreets(url: string | null): void {
    if (url === (this.#streets?.url ?? null)) return
    this.#streets?.layer.remove()
    this.#streets = null
    this.#markers.labels.setOverStreets(url !== null)
    this.#map.setMaxZoom(url === null ? MAX_ZOOM : MAX_STREET_ZOOM)
    if (url === null) return
    const layer = L.tileLayer(url, {
      maxZoom: MAX_STREET_ZOOM,
      referrerPolicy: 'no-referrer',
      className: 'chargers-streets',
    })
    this.#streets = { url, layer: layer.addTo(this.#map) }
  }

  zoomBy(steps: number): void {
    this.#map.setZoom(this.#map.getZoom() + steps)
  }

  /** Zooms out until all longitudes fit into the window, and all latitudes that have airfields. */
  showWorld(): void {
    const { x, y } = this.#map.getSize()
    const zoom = Math.floor(Math.log2(Math.min(x, y / WORLD_HEIGHT) / WORLD_PX))
    this.goTo(WORLD_CENTRE, Math.min(MAX_WORLD_ZOOM, Math.max(MIN_ZOOM, zoom)), true)
  }

  /** `byPerson`: treated like a drag, so that the list follows. */
  goTo({ lat, lng }: Point, zoom: number | null, byPerson: boolean): void {
    const to: L.LatLngTuple = [lat, this.#nearLng(lng)]
    const level = Math.min(this.#map.getMaxZoom(), zoom ?? this.#map.getZoom())
    this.#isOrdered = !byPerson
    if (this.#isCalm) this.#map.setView(to, level, { animate: false })
    else this.#map.flyTo(to, level, { duration: 0.7 })
  }

  /** Brings a place into the middle of the map, with enough around it to see where that is. */
  showNear(at: Point): void {
    const { x, y } = this.#map.getSize()
    const shown = Math.floor(Math.log2((Math.min(x, y) * 360) / WORLD_PX / NEAR_DEGREES))
    this.goTo(at, this.#streets === null ? Math.min(shown, NEAR_ZOOM) : NEAR_STREET_ZOOM, false)
  }

  /** Pans only if the place is out of view or too close to the edge. */
  reveal(at: Point, marginPx: number): void {
    const point = this.#map.latLngToContainerPoint([at.lat, this.#nearLng(at.lng)])
    const { x, y } = this.#map.getSize()
    const isSeen = point.x > marginPx && point.y > marginPx && point.x < x - marginPx && point.y < y - marginPx
    if (!isSeen) this.goTo(at, null, false)
  }

  /** Moves only if the ring is not completely in view. */
  revealRing(ring: Ring): void {
    const { lng } = ring.centre
    const turned = this.#nearLng(lng) - lng
    const bounds = L.latLngBounds(cornersOf(ring).map(([lat, east]) => [lat, east + turned]))
    if (!bounds.isValid() || this.#map.getBounds().contains(bounds)) return
    this.#isOrdered = true
    this.#map.fitBounds(bounds, { padding: [RING_MARGIN_PX, RING_MARGIN_PX], animate: !this.#isCalm })
  }

  /** Fits all of these places, given in order along a line, into the view. */
  revealAll(places: readonly Point[]): void {
    let lng = this.#map.getCenter().lng
    const corners = places.map((place): L.LatLngTuple => {
      lng = place.lng + 360 * Math.round((lng - place.lng) / 360)
      return [place.lat, lng]
    })
    const bounds = L.latLngBounds(corners)
    if (!bounds.isValid()) return
    this.#isOrdered = true
    this.#map.fitBounds(bounds, {
      paddingTopLeft: PLACES_TOP_LEFT,
      paddingBottomRight: PLACES_BOTTOM_RIGHT,
      maxZoom: PLACES_ZOOM,
      animate: !this.#isCalm,
    })
  }

  /** The same longitude in the copy of the world that is in view. */
  #nearLng(lng: number): number {
    return lng + 360 * Math.round((this.#map.getCenter().lng - lng) / 360)
  }

  resize(): void {
    this.#map.invalidateSize({ animate: false })
  }

  focus(): void {
    this.#map.getContainer().focus()
  }

  close(): void {
    cancelIdleCallback(this.#idle)
    this.#map.remove()
    // After a change of size it tells of the end of a move with a delay that it does not cancel.
    this.#map.off()
  }
}
