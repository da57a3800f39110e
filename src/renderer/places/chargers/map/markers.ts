import L from 'leaflet'
import type { PowerTier } from '../../../../shared/chargers/power.ts'
import { KINDS } from '../data/look.ts'
import type { ClusterMarker, Marker, SiteMarker } from '../data/sites.ts'
import { markElement } from './mark-icon.tsx'

export interface MarkerWords {
  /** The label of the group. */
  label: string
  nameOf: (marker: Marker) => string
  count: (count: number) => string
}

interface MarkerEvents {
  onChoose: (marker: Marker) => void
  onHighlight: (marker: Marker | null) => void
}

interface Shown {
  marker: Marker
  layer: L.Marker
  button: HTMLButtonElement
  /** What it was made to look like. */
  look: string
}

export const SIZE_PX: Readonly<Record<PowerTier, number>> = {
  unknown: 20,
  under11: 20,
  under50: 23,
  under150: 27,
  from150: 32,
}
const [CLUSTER_PX, CLUSTER_GROWS_PX] = [30, 5]

const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The markers, which are buttons. They are a single tab stop; arrow keys move to the next one in that direction. */
export class Markers {
  readonly #map: L.Map
  readonly #events: MarkerEvents
  readonly #shown = new Map<string, Shown>()
  #words: MarkerWords

  constructor(map: L.Map, words: MarkerWords, events: MarkerEvents) {
    this.#map = map
    this.#words = words
    this.#events = events
    map.getPane('markerPane')?.setAttribute('role', 'group')
    map.getPane('markerPane')?.addEventListener('keydown', (event) => this.#onKey(event))
  }

  say(words: MarkerWords): void {
    this.#words = words
    this.#map.getPane('markerPane')?.setAttribute('aria-label', words.label)
    for (const shown of this.#shown.values()) this.#dress(shown)
  }

  show(markers: readonly Marker[]): void {
    const keys = new Set(markers.map(({ key }) => key))
    const focused = this.#focused()
    for (const [key, { layer }] of this.#shown) {
      if (keys.has(key)) continue
      layer.remove()
      this.#shown.delete(key)
    }
    for (const marker of markers) this.#put(marker)
    if (focused !== null && !keys.has(focused.marker.key)) this.#nearest(focused.marker)?.button.focus()
    this.#keepTabStop()
  }

  /** The marker that this element belongs to. */
  of(element: EventTarget | null): Marker | null {
    const button = element instanceof Element ? element.closest('button') : null
    return [...this.#shown.values()].find((one) => one.button === button)?.marker ?? null
  }

  #put(marker: Marker): void {
    // The copy of the world that is in view.
    const turns = Math.round((this.#map.getCenter().lng - marker.lng) / 360)
    const shown = this.#shown.get(marker.key) ?? this.#make(marker)
    shown.marker = marker
    shown.layer.setLatLng([marker.lat, marker.lng + 360 * turns])
    this.#dress(shown)
  }

  #make(marker: Marker): Shown {
    const button = document.createElement('button')
    button.type = 'button'
    button.tabIndex = -1
    const icon = L.divIcon({ html: button, className: 'chargers-marker', iconSize: [0, 0] })
    const layer = L.marker(marker, { icon, keyboard: false, riseOnHover: true }).addTo(this.#map)
    const shown: Shown = { marker, layer, button, look: '' }
    const highlight = (isOn: boolean) => this.#events.onHighlight(isOn ? shown.marker : null)
    layer.on('click', () => this.#events.onChoose(shown.marker))
    layer.on('mouseover', () => highlight(true))
    layer.on('mouseout', () => highlight(false))
    button.addEventListener('focus', () => {
      for (const other of this.#shown.values()) other.button.tabIndex = other === shown ? 0 : -1
      highlight(true)
    })
    button.addEventListener('blur', () => highlight(false))
    this.#shown.set(marker.key, shown)
    return shown
  }

  #dress(shown: Shown): void {
    const { button, marker } = shown
    const name = this.#words.nameOf(marker)
    const look = name + JSON.stringify(marker)
    if (shown.look === look) return
    shown.look = look
    button.setAttribute('aria-label', name)
    if (marker.kind === 'cluster') dressCluster(button, marker, this.#words.count(marker.count))
    else dressSite(button, marker, this.#words.count(marker.count))
    if (marker.favourite) button.append(badge('star', '★'))
  }

  #focused(): Shown | null {
    return [...this.#shown.values()].find(({ button }) => button === document.activeElement) ?? null
  }

  #nearest({ lat, lng }: Marker): Shown | undefined {
    const far = ({ marker }: Shown) => Math.hypot(marker.lat - lat, marker.lng - lng)
    return [...this.#shown.values()].sort((one, other) => far(one) - far(other))[0]
  }

  #keepTabStop(): void {
    const all = [...this.#shown.values()]
    if (all.every(({ button }) => button.tabIndex === -1) && all[0] !== undefined) all[0].button.tabIndex = 0
  }

  #onKey(event: KeyboardEvent): void {
    const [focused, way] = [this.#focused(), ARROWS[event.key]]
    if (focused === null || way === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const from = this.#map.latLngToLayerPoint(focused.layer.getLatLng())
    let best: { shown: Shown; cost: number } | null = null
    for (const shown of this.#shown.values()) {
      const by = this.#map.latLngToLayerPoint(shown.layer.getLatLng()).subtract(from)
      const along = by.x * way[0] + by.y * way[1]
      const aside = Math.abs(by.x * way[1]) + Math.abs(by.y * way[0])
      // Within the quarter that the arrow points to.
      if (along > 0 && aside <= along && along + 2 * aside < (best?.cost ?? Infinity))
        best = { shown, cost: along + 2 * aside }
    }
    best?.shown.button.focus()
  }
}

function part(className: string, text: string): HTMLElement {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}

/** Its sign is drawn and not text: the button's name says it in words. */
function badge(kind: string, sign: string): HTMLElement {
  const element = part(`chargers-badge ${kind}`, '')
  element.dataset.sign = sign
  return element
}

function resize(button: HTMLElement, px: number): void {
  button.style.width = button.style.height = `${px}px`
}

function dressSite(button: HTMLButtonElement, marker: SiteMarker, count: string): void {
  const { look, tier, kinds, icao, airfield } = marker
  button.className = ''
  resize(button, SIZE_PX[tier])
  button.replaceChildren(
    markElement(look, SIZE_PX[tier]),
    part('chargers-code ellipsis', (icao ?? airfield ?? '').slice(0, 24)),
  )
  if (marker.count > 1) button.append(badge('figures', count))
  if (kinds.broken > 0 && look !== 'broken') button.append(badge('fault', '×'))
}

function dressCluster(button: HTMLButtonElement, { count, kinds }: ClusterMarker, text: string): void {
  button.className = 'chargers-cluster figures'
  resize(button, CLUSTER_PX + CLUSTER_GROWS_PX * Math.floor(Math.log10(count)))
  let from = 0
  const shares = KINDS.map((kind) => {
    const to = from + (kinds[kind] / count) * 360
    const share = `var(--kind-${kind}) ${from}deg ${to}deg`
    from = to
    return share
  })
  button.style.setProperty('--shares', `conic-gradient(${shares.join()})`)
  button.replaceChildren(part('', text))
}
