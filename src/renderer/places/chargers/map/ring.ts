import L from 'leaflet'
import { KM_PER_NM, ringPoints, type Point } from '../../../../shared/chargers/distance.ts'

export interface Ring {
  centre: Point
  nm: number
}

const CORNERS = 180
/** Styled as `leaflet-ring-pane`. */
const PANE = 'ring'

/** A circle with a radius in nautical miles around a centre that can be dragged. */
export class RangeRing {
  readonly #map: L.Map
  readonly #onMoved: (centre: Point) => void
  #circle: L.Polygon | null = null
  #handle: L.Marker | null = null
  #ring: Ring | null = null

  constructor(map: L.Map, onMoved: (centre: Point) => void) {
    this.#map = map
    map.createPane(PANE)
    this.#onMoved = onMoved
  }

  show(ring: Ring | null, label: string): void {
    this.#ring = ring
    if (ring === null) {
      this.#circle?.remove()
      this.#handle?.remove()
      this.#circle = this.#handle = null
      return
    }
    const at: L.LatLngTuple = [ring.centre.lat, ring.centre.lng]
    this.#circle ??= L.polygon([], { className: 'chargers-ring', interactive: false, smoothFactor: 0 }).addTo(this.#map)
    this.#circle.setLatLngs(cornersOf(ring))
    this.#handle ??= this.#makeHandle(at, label)
    this.#handle.setLatLng(at)
  }

  #makeHandle(at: L.LatLngTuple, label: string): L.Marker {
    const html = document.createElement('span')
    const icon = L.divIcon({ className: 'chargers-ring-centre', html, iconSize: [46, 46] })
    const handle = L.marker(at, {
      icon,
      pane: PANE,
      draggable: true,
      title: label,
      alt: label,
      // Keyboards use the centre field of the ring panel instead.
      keyboard: false,
      // The ring is often around a charger, which a click should reach.
      bubblingMouseEvents: true,
    }).addTo(this.#map)
    handle.on('drag', () => {
      if (this.#ring !== null) this.#circle?.setLatLngs(cornersOf({ ...this.#ring, centre: handle.getLatLng() }))
    })
    handle.on('dragend', () => {
      const { lat, lng } = handle.getLatLng().wrap()
      this.#onMoved({ lat, lng })
    })
    return handle
  }
}

/** Points along the circle. */
export function cornersOf({ centre, nm }: Ring): L.LatLngTuple[] {
  return ringPoints(centre, nm * KM_PER_NM, CORNERS).map(({ lat, lng }) => [lat, lng])
}
