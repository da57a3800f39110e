// Must come first: it allows what Leaflet needs.
import '../data/trusted.ts'
import L from 'leaflet'
import type { Point } from '../../../../shared/chargers/distance.ts'
import { LAST_CLUSTER_ZOOM, type Clusters } from '../data/clusters.ts'
import type { Marker, SiteMarker } from '../data/sites.ts'
import type { Mark } from '../store/chargers-store.ts'
import { BaseLayer } from './base-layer.ts'
import { Markers, type MarkerWords } from './markers.ts'
import { RouteLines, type ShownRoutes } from './route-lines.ts'
import { Scale } from './scale.ts'

export interface MapWords extends MarkerWords {
  language: string
  map: string
}

export interface MapEvents {
  /** The map has stopped moving. `byPerson` is false for moves that the page made. */
  onView: (view: { centre: Point; zoom: number }, byPerson: boolean) => void
  onChoose: (marker: Marker) => void
  onHighlight: (marker: Marker | null) => void
}

const MIN_ZOOM = 1
const MAX_STREET_ZOOM = 18
const WORLD = { lat: 25, lng: 10 }
/** The limit of Web Mercator; positions beyond it are shown at its edge. */
const MAX_LAT = 85.0511
/** More could neither be told apart nor be drawn in time: they are merged further. */
const MOST_MARKERS = 150
/** How far from the edge of the map something that is revealed has to be. */
const EDGE_PX = 60
/** Clear of the notice above, of the controls at the right and of the scale. */
const PLACES_TOP_LEFT: L.PointTuple = [44, 60]
const PLACES_BOTTOM_RIGHT: L.PointTuple = [68, 44]
/** Without streets: from here on the towns around a place have their names. */
const NEAR_ZOOM = 8
const NEAR_STREET_ZOOM = 13
/** The closest zoom when showing several places, however close together they are. */
const PLACES_ZOOM = 10
const MARK_PX = 21
const SCALE_PX = 120
const METRES_PER_NM = 1852

/** The map itself: a wrapper around Leaflet that knows nothing about the page. */
export class ChargerMap {
  readonly #map: L.Map
  readonly #base: BaseLayer
  readonly #markers: Markers
  readonly #marks: L.LayerGroup
  readonly #reach = L.circle([0, 0], { radius: 0, className: 'chargers-reach', interactive: false })
  readonly #routes: RouteLines
  readonly #events: MapEvents
  readonly #isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  #streets: { url: string; layer: L.TileLayer } | null = null
  #clusters: Clusters | null = null
  #words: MapWords
  #isOrdered = false

  constructor(
    container: HTMLElement,
    { centre, zoom }: { centre: Point; zoom: number },
    words: MapWords,
    events: MapEvents,
  ) {
    this.#map = L.map(container, {
      attributionControl: false,
      zoomControl: false,
      fadeAnimation: false,
      minZoom: MIN_ZOOM,
      maxZoom: LAST_CLUSTER_ZOOM,
      worldCopyJump: true,
      maxBounds: [
        [-MAX_LAT, -Infinity],
        [MAX_LAT, Infinity],
      ],
      maxBoundsViscosity: 1,
      wheelPxPerZoomLevel: 90,
      ...(this.#isCalm ? { zoomAnimation: false, inertia: false } : {}),
    })
    this.#events = events
    this.#words = words
    this.#map.setView([centre.lat, centre.lng], zoom, { animate: false })
    this.#base = new BaseLayer(this.#map, words.language)
    this.#marks = L.layerGroup().addTo(this.#map)
    new Scale({ maxWidth: SCALE_PX, imperial: true }).addTo(this.#map)
    this.#routes = new RouteLines(this.#map)
    this.#markers = new Markers(this.#map, words, {
      onChoose: (marker) => events.onChoose(marker),
      onHighlight: events.onHighlight,
    })
    this.#listen()
    this.say(words)
  }

  #listen(): void {
    const map = this.#map
    map.on('moveend', () => {
      this.#showMarkers()
      this.#events.onView({ centre: this.#centre(), zoom: map.getZoom() }, !this.#isOrdered)
      this.#isOrdered = false
    })
  }

  #centre(): Point {
    return pointOf(this.#map.getCenter())
  }

  /** What was pressed, and where: of a press by a key, the middle of the focused marker. */
  pressed(event: MouseEvent): { marker: Marker | null; at: Point } {
    const marker = this.#markers.of(event.target)
    if (marker !== null) return { marker, at: { lat: marker.lat, lng: marker.lng } }
    return { marker, at: pointOf(this.#map.mouseEventToLatLng(event)) }
  }

  show(clusters: Clusters): void {
    this.#clusters = clusters
    this.#showMarkers()
  }

  #showMarkers(): void {
    const zoom = this.#map.getZoom()
    if (this.#clusters === null || !Number.isInteger(zoom)) return
    const bounds = this.#map.getBounds().pad(0.1)
    const [west, south, east, north] = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]
    this.#markers.show(this.#clusters.within({ west, south, east, north }, zoom, MOST_MARKERS))
    this.#map.getContainer().classList.toggle('near', zoom >= 7)
  }

  /** Zooms until what is in the cluster comes apart. Gives what is in it where the map cannot zoom further. */
  open(cluster: Extract<Marker, { kind: 'cluster' }>): readonly SiteMarker[] {
    const sites = this.#clusters?.sitesOf(cluster) ?? []
    const bounds = L.latLngBounds(sites.map(({ lat, lng }) => [lat, lng]))
    const { lat, lng } = bounds.getCenter()
    const zoom = this.#map.getBoundsZoom(bounds, false, L.point(2 * EDGE_PX, 2 * EDGE_PX))
    if (this.#map.getZoom() >= Math.min(this.#map.getMaxZoom(), LAST_CLUSTER_ZOOM)) return sites
    this.goTo({ lat, lng }, Math.max(this.#map.getZoom() + 1, zoom), true)
    return []
  }

  /** Rings around the chosen place and the highlighted one, also where a cluster hides its marker. */
  emphasize(chosen: Mark | null, highlighted: Mark | null): void {
    this.#marks.clearLayers()
    const mark = (one: Mark | null, className: string) => {
      if (one?.at == null) return
      const at: L.LatLngTuple = [one.at.lat, this.#nearLng(one.at.lng)]
      L.circleMarker(at, { className, radius: MARK_PX, interactive: false }).addTo(this.#marks)
    }
    if (highlighted?.key !== chosen?.key) mark(highlighted, 'chargers-highlight')
    mark(chosen, 'chargers-chosen')
  }

  /** A circle around what can be reached; none without a place or a distance. */
  showReach(from: Point | null, nm: number | null): void {
    if (from === null || nm === null) this.#reach.remove()
    else
      this.#reach
        .setLatLng(from)
        .setRadius(nm * METRES_PER_NM)
        .addTo(this.#map)
  }

  showRoutes(shown: ShownRoutes): void {
    this.#routes.show(shown)
  }

  say(words: MapWords): void {
    if (words.language !== this.#words.language) this.#base.say(words.language)
    this.#words = words
    this.#map.getContainer().setAttribute('aria-label', words.map)
    this.#markers.say(words)
  }

  /** The theme has changed. */
  recolour(): void {
    this.#base.recolour()
  }

  /** Shows street tiles over the base map; null removes them. Their server learns which area is viewed. */
  showStreets(url: string | null): void {
    if (url === (this.#streets?.url ?? null)) return
    this.#streets?.layer.remove()
    this.#streets = null
    this.#map.setMaxZoom(url === null ? LAST_CLUSTER_ZOOM : MAX_STREET_ZOOM)
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

  showWorld(): void {
    this.goTo(WORLD, this.#map.getSize().x > 900 ? 2 : MIN_ZOOM, true)
  }

  /** `byPerson`: treated like a drag, so that the list follows. */
  goTo({ lat, lng }: Point, zoom: number | null, byPerson: boolean): void {
    const to: L.LatLngTuple = [lat, this.#nearLng(lng)]
    const level = Math.min(this.#map.getMaxZoom(), zoom ?? this.#map.getZoom())
    this.#isOrdered = !byPerson
    if (this.#isCalm) this.#map.setView(to, level, { animate: false })
    else this.#map.flyTo(to, level, { duration: 0.6 })
  }

  /** Brings a place into view, with its own marker rather than a cluster's. */
  reveal(at: Point): void {
    const { x, y } = this.#map.latLngToContainerPoint([at.lat, this.#nearLng(at.lng)])
    const size = this.#map.getSize()
    const isSeen = x > EDGE_PX && y > EDGE_PX && x < size.x - EDGE_PX && y < size.y - EDGE_PX
    const near = this.#streets === null ? NEAR_ZOOM : NEAR_STREET_ZOOM
    if (!isSeen || this.#map.getZoom() < near) this.goTo(at, Math.max(near, this.#map.getZoom()), false)
  }

  /** Fits all of these places, given in order along a line, into the view. */
  revealAll(places: readonly Point[]): void {
    let lng = this.#map.getCenter().lng
    const corners = places.map((place): L.LatLngTuple => {
      lng = place.lng + 360 * Math.round((lng - place.lng) / 360)
      return [place.lat, lng]
    })
    if (corners.length === 0) return
    this.#isOrdered = true
    this.#map.fitBounds(L.latLngBounds(corners), {
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
    this.#map.remove()
    // After a change of size it tells of the end of a move with a delay that it does not cancel.
    this.#map.off()
  }
}

function pointOf(latlng: L.LatLng): Point {
  const { lat, lng } = latlng.wrap()
  return { lat, lng }
}

/** The mounted map, for other parts of the page that move it. */
let shown: ChargerMap | null = null

export function setShownMap(map: ChargerMap | null): void {
  shown = map
}

export const shownMap = (): ChargerMap | null => shown
