import L from 'leaflet'
import type { Point } from '../../../../shared/chargers/distance.ts'
import { LAST_CLUSTER_ZOOM, type Area } from '../data/sites.ts'

/** What the map shows once it has stopped moving. */
export interface MapView {
  centre: Point
  zoom: number
  area: Area
}

const MIN_ZOOM = 1
const WORLD = { lat: 25, lng: 10 }
/** The limit of Web Mercator; positions beyond it are shown at its edge. */
const MAX_LAT = 85.0511
/** How far from the edge of the map something that is revealed has to be. */
const EDGE_PX = 60
/** Clear of the notice above, of the controls at the right and of the scale. */
const PLACES_TOP_LEFT: L.PointTuple = [44, 60]
const PLACES_BOTTOM_RIGHT: L.PointTuple = [68, 44]
/** From here on the towns around a place have their names. */
const NEAR_ZOOM = 8
/** The closest zoom when showing several places, however close together they are. */
const PLACES_ZOOM = 10

export class ChargerMap {
  readonly leaflet: L.Map
  readonly #isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  #isOrdered = true

  /** `onView` is told where the map comes to rest, and whether a person moved it there. */
  constructor(
    container: HTMLElement,
    { centre, zoom }: Pick<MapView, 'centre' | 'zoom'>,
    onView: (view: MapView, byPerson: boolean) => void,
  ) {
    this.leaflet = L.map(container, {
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
    this.leaflet.on('moveend', () => {
      const bounds = this.leaflet.getBounds().pad(0.1)
      const [west, south, east, north] = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]
      const [{ lat, lng }, level] = [this.leaflet.getCenter().wrap(), this.leaflet.getZoom()]
      onView({ centre: { lat, lng }, zoom: level, area: { west, south, east, north } }, !this.#isOrdered)
      this.#isOrdered = false
    })
    this.leaflet.setView([centre.lat, centre.lng], zoom, { animate: false })
  }

  /** The pointer has moved the map since it was pressed. */
  isDragged(): boolean {
    return (this.leaflet.dragging as L.Handler & { moved: () => boolean }).moved()
  }

  pointAt(event: MouseEvent): Point {
    const { lat, lng } = this.leaflet.mouseEventToLatLng(event).wrap()
    return { lat, lng }
  }

  /** Zooms until these come apart. False where the map cannot zoom further. */
  zoomInto(places: readonly Point[]): boolean {
    const bounds = L.latLngBounds(places.map(({ lat, lng }) => [lat, lng]))
    const zoom = this.leaflet.getBoundsZoom(bounds, false, L.point(2 * EDGE_PX, 2 * EDGE_PX))
    const now = this.leaflet.getZoom()
    if (now >= LAST_CLUSTER_ZOOM) return false
    this.goTo(bounds.getCenter(), Math.max(now + 1, zoom), true)
    return true
  }

  zoomBy(steps: number): void {
    this.leaflet.setZoom(this.leaflet.getZoom() + steps)
  }

  showWorld(): void {
    this.goTo(WORLD, this.leaflet.getSize().x > 900 ? 2 : MIN_ZOOM, true)
  }

  /** `byPerson`: treated like a drag, so that the list follows. */
  goTo({ lat, lng }: Point, zoom: number, byPerson: boolean): void {
    const to: L.LatLngTuple = [lat, nearLng(lng, this.leaflet.getCenter().lng)]
    const level = Math.min(LAST_CLUSTER_ZOOM, zoom)
    this.#isOrdered = !byPerson
    if (this.#isCalm) this.leaflet.setView(to, level, { animate: false })
    else this.leaflet.flyTo(to, level, { duration: 0.6 })
  }

  /** Brings a place into view, with its own marker rather than a cluster's. */
  reveal(at: Point): void {
    const size = this.leaflet.getSize()
    const inner = L.bounds([EDGE_PX, EDGE_PX], size.subtract([EDGE_PX, EDGE_PX]))
    const to: L.LatLngTuple = [at.lat, nearLng(at.lng, this.leaflet.getCenter().lng)]
    const zoom = this.leaflet.getZoom()
    if (zoom < NEAR_ZOOM || !inner.contains(this.leaflet.latLngToContainerPoint(to)))
      this.goTo(at, Math.max(NEAR_ZOOM, zoom), false)
  }

  /** Moves no further than needed for a place at the edge, or just beyond it, to be seen. */
  bringIn({ lat, lng }: Point): void {
    const to: L.LatLngTuple = [lat, nearLng(lng, this.leaflet.getCenter().lng)]
    this.leaflet.panInside(to, { padding: [EDGE_PX, EDGE_PX], animate: !this.#isCalm })
  }

  /** Fits all of these places, given in order along a line, into the view. */
  revealAll(places: readonly Point[]): void {
    if (places.length === 0) return
    let { lng } = this.leaflet.getCenter()
    const corners = places.map((place): L.LatLngTuple => [place.lat, (lng = nearLng(place.lng, lng))])
    this.#isOrdered = true
    this.leaflet.fitBounds(L.latLngBounds(corners), {
      paddingTopLeft: PLACES_TOP_LEFT,
      paddingBottomRight: PLACES_BOTTOM_RIGHT,
      maxZoom: PLACES_ZOOM,
      animate: !this.#isCalm,
    })
  }

  resize(): void {
    this.leaflet.invalidateSize({ animate: false })
  }

  close(): void {
    this.leaflet.remove()
    // After a change of size it tells of the end of a move with a delay that it does not cancel.
    this.leaflet.off()
  }
}

/** The same longitude in the copy of the world that is nearest to another. */
export const nearLng = (lng: number, to: number): number => lng + 360 * Math.round((to - lng) / 360)

/** The mounted map, for other parts of the page that move it. */
let shown: ChargerMap | null = null

export function setShownMap(map: ChargerMap | null): void {
  shown = map
}

export const shownMap = (): ChargerMap | null => shown
