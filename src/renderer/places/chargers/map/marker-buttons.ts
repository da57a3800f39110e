import L from 'leaflet'
import type { Marker } from '../data/marker.ts'
import type { Drawn } from './mark.ts'

/** More would be too many to step through with a screen reader; the list has all chargers. */
const MAX_BUTTONS = 60

export interface MarkerWords {
  /** The label of the group. */
  label: string
  nameOf: (marker: Marker) => string
}

interface MarkerButtonsOptions {
  onChoose: (marker: Marker) => void
  onHighlight: (marker: Marker | null) => void
}

interface Place {
  button: HTMLButtonElement
  drawn: Drawn
}

/**
 * Invisible buttons over the markers on the canvas, for keyboards and screen readers. They are a single tab stop; arrow keys move to
 * the next marker in that direction. Pointer events pass through to the canvas.
 */
export class MarkerButtons {
  readonly #map: L.Map
  readonly #group = document.createElement('div')
  readonly #places = new Map<string, Place>()
  readonly #options: MarkerButtonsOptions
  #nameOf: MarkerWords['nameOf'] = () => ''
  #pending: { key: string; at: L.LatLng } | null = null

  constructor(map: L.Map, options: MarkerButtonsOptions) {
    this.#map = map
    this.#options = options
    this.#group.className = 'chargers-marker-buttons'
    this.#group.setAttribute('role', 'group')
    map.getPane('markerPane')?.append(this.#group)
    this.#group.addEventListener('keydown', (event) => this.#onKey(event))
  }

  /** Updates the texts, for example after a change of language. */
  say({ label, nameOf }: MarkerWords): void {
    this.#nameOf = nameOf
    this.#group.setAttribute('aria-label', label)
    for (const { button, drawn } of this.#places.values()) button.setAttribute('aria-label', nameOf(drawn.marker))
  }

  /** Creates buttons for the visible markers closest to the middle of the map, ordered from left to right. */
  update(drawn: readonly Drawn[]): void {
    const topLeft = this.#map.containerPointToLayerPoint([0, 0])
    const size = this.#map.getSize()
    const window = L.bounds(topLeft, topLeft.add(size))
    const middle = topLeft.add(size.divideBy(2))
    const far = ({ x, y }: Drawn) => Math.hypot(x - middle.x, y - middle.y)
    const kept = drawn
      .filter(({ x, y, radius }) => window.intersects(L.bounds([x - radius, y - radius], [x + radius, y + radius])))
      .sort((one, other) => far(one) - far(other))
      .slice(0, MAX_BUTTONS)
      .sort((one, other) => one.x - other.x)
    const keys = new Set(kept.map(keyOf))
    const hadFocus = this.#focused() !== null
    for (const [key, { button }] of this.#places) {
      if (keys.has(key)) continue
      button.remove()
      this.#places.delete(key)
    }
    for (const one of kept) this.#put(one)
    this.#keepStop()
    this.#keepFocus(hadFocus)
  }

  /** Once this marker is gone, focus moves to the marker closest to its position. */
  focusAfter({ key, lat, lng }: Marker): void {
    this.#pending = { key, at: L.latLng(lat, lng) }
  }

  #put(drawn: Drawn): void {
    const key = keyOf(drawn)
    const known = this.#places.get(key)
    const button = known?.button ?? this.#make(key)
    const name = this.#nameOf(drawn.marker)
    if (button.getAttribute('aria-label') !== name) button.setAttribute('aria-label', name)
    const { x, y, radius } = drawn
    // Not a transform: every button would become a compositing layer, which costs time in each frame.
    button.style.left = `${Math.round(x - radius - 2)}px`
    button.style.top = `${Math.round(y - radius - 2)}px`
    button.style.width = button.style.height = `${Math.round(radius * 2 + 4)}px`
    this.#places.set(key, { button, drawn })
    // Appending an attached element again would blur it.
    if (known === undefined) this.#group.append(button)
  }

  #make(key: string): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.tabIndex = -1
    button.className = 'chargers-marker-button'
    const marker = () => this.#places.get(key)?.drawn.marker ?? null
    button.addEventListener('click', (event) => {
      event.stopPropagation()
      const chosen = marker()
      if (chosen !== null) this.#options.onChoose(chosen)
    })
    button.addEventListener('focus', () => {
      for (const { button: other } of this.#places.values()) other.tabIndex = other === button ? 0 : -1
      this.#options.onHighlight(marker())
    })
    button.addEventListener('blur', () => this.#options.onHighlight(null))
    return button
  }

  /** Makes sure that one of the buttons is a tab stop. */
  #keepStop(): void {
    const all = [...this.#places.values()]
    if (all.length > 0 && all.every(({ button }) => button.tabIndex === -1)) all[0]!.button.tabIndex = 0
  }

  #keepFocus(hadFocus: boolean): void {
    const places = [...this.#places.values()]
    if (hadFocus && this.#focused() === null) this.#map.getContainer().focus({ preventScroll: true })
    if (this.#pending === null || places.length === 0) return
    const { key, at } = this.#pending
    if (places.some(({ drawn }) => drawn.marker.key === key)) return
    this.#pending = null
    // Focus that has moved elsewhere is left alone.
    if (document.activeElement !== this.#map.getContainer()) return
    const to = this.#map.latLngToLayerPoint(at)
    this.#nearest(places, ({ x, y }) => Math.hypot(x - to.x, y - to.y))?.button.focus({ preventScroll: true })
  }

  #focused(): Place | null {
    return [...this.#places.values()].find(({ button }) => button === document.activeElement) ?? null
  }

  #nearest(places: readonly Place[], costOf: (drawn: Drawn) => number): Place | null {
    let best: Place | null = null
    for (const place of places) if (best === null || costOf(place.drawn) < costOf(best.drawn)) best = place
    return best
  }

  #onKey(event: KeyboardEvent): void {
    const way = WAYS[event.key]
    const from = this.#focused()
    if (way === undefined || from === null) return
    event.preventDefault()
    event.stopPropagation()
    const { drawn } = from
    const ahead = (to: Drawn) => (to.x - drawn.x) * way[0] + (to.y - drawn.y) * way[1]
    const aside = (to: Drawn) => Math.abs((to.x - drawn.x) * way[1]) + Math.abs((to.y - drawn.y) * way[0])
    const others = [...this.#places.values()].filter((place) => place !== from && ahead(place.drawn) > 1)
    this.#nearest(others, (to) => ahead(to) + 2 * aside(to))?.button.focus()
  }
}

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Includes the copy of the world: the same marker may be visible twice. */
function keyOf({ marker, turn }: Drawn): string {
  return `${marker.key} ${turn}`
}
