import L from 'leaflet'
import { memo, useLayoutEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react'
import { t } from 'i18next'
import { KINDS } from '../data/look.ts'
import type { Marker, SiteMarker } from '../data/sites.ts'
import { highlight } from '../store/chargers-actions.ts'
import * as words from '../charger-words.ts'
import { countText } from '../../../text/figures.ts'
import { nearLng, type ChargerMap } from './charger-map.ts'
import { Badge, MarkIcon, sizeOf } from './mark-icon.tsx'

const [CLUSTER_PX, CLUSTER_GROWS_PX] = [30, 5]

const ZOOMS: Readonly<Record<string, number>> = { '+': 1, '=': 1, '-': -1 }
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface MarkersProps {
  map: ChargerMap
  markers: readonly Marker[]
  /** A longitude of the copy of the world that is in view. */
  middle: number
  onChoose: (marker: Marker) => void
}

/** The markers, which are buttons. They are a single tab stop; arrow keys move to the next one in that direction. */
export function Markers({ map, markers, middle, onChoose }: MarkersProps) {
  const [last, setLast] = useState<string | null>(null)
  const focused = useRef<Marker | null>(null)
  const stop = markers.some(({ key }) => key === last) ? last : markers[0]?.key
  useNamedPane(map, t('chargers:map.markers'))
  const point = (marker: Marker | null) =>
    highlight(marker === null ? null : { key: marker.key, at: { lat: marker.lat, lng: marker.lng } })
  // When the focused one is gone, the nearest takes its place.
  useLayoutEffect(() => {
    const { current: from } = focused
    if (from !== null && document.activeElement === document.body) focus(map, nearest(from, markers))
  }, [map, markers])
  const go = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const [from, way, zoom] = [markerOf(event.target, markers), ARROWS[event.key], ZOOMS[event.key]]
    if (from !== null && way !== undefined) focus(map, next(map, from, way, markers))
    else if (zoom !== undefined) map.zoomBy(zoom)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      hidden
      onKeyDown={go}
      onFocus={({ target, relatedTarget }) => {
        focused.current = markerOf(target, markers)
        setLast(focused.current?.key ?? null)
        point(focused.current)
        // By a key: a marker that takes the place of one that is gone has the focus from nowhere.
        if (focused.current !== null && relatedTarget !== null && target.matches(':focus-visible'))
          map.bringIn(focused.current)
      }}
      onBlur={() => {
        focused.current = null
        point(null)
      }}
      onMouseOver={({ target }) => point(markerOf(target, markers))}
      onMouseOut={({ relatedTarget }) => point(markerOf(relatedTarget, markers))}
      onClick={({ target, detail }) => {
        const marker = markerOf(target, markers)
        // The pointer lets go of a marker also at the end of a drag.
        if (marker !== null && (detail === 0 || !map.isDragged())) onChoose(marker)
      }}
    >
      {markers.map((marker) => (
        <MarkerButton
          key={marker.key}
          map={map}
          marker={marker}
          lng={nearLng(marker.lng, middle)}
          isStop={marker.key === stop}
        />
      ))}
    </div>
  )
}

function useNamedPane({ leaflet }: ChargerMap, label: string): void {
  useLayoutEffect(() => {
    const pane = leaflet.getPane('markerPane')
    pane?.setAttribute('role', 'group')
    pane?.setAttribute('aria-label', label)
  }, [leaflet, label])
}

export function markerOf(target: EventTarget | null, markers: readonly Marker[]): Marker | null {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null
  return markers.find(({ key }) => key === button?.dataset['key']) ?? null
}

interface ButtonProps {
  map: ChargerMap
  marker: Marker
  lng: number
  isStop: boolean
}

/** Leaflet takes the button out of its holder and puts it on the map, which is far cheaper than a portal for each. */
const MarkerButton = memo(function MarkerButton({ map, marker, lng, isStop }: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const layer = useRef<L.Marker>(null)
  const { lat } = marker
  useLayoutEffect(() => {
    const icon = L.divIcon({ html: button.current!, className: 'chargers-marker', iconSize: [0, 0] })
    layer.current = L.marker([0, 0], { icon, keyboard: false, riseOnHover: true })
    return () => {
      layer.current?.remove()
    }
  }, [map])
  useLayoutEffect(() => {
    layer.current?.setLatLng([lat, lng]).addTo(map.leaflet)
  }, [map, lat, lng])
  return (
    <div>
      <button
        ref={button}
        type="button"
        data-key={marker.key}
        aria-label={words.marker(marker)}
        tabIndex={isStop ? 0 : -1}
        {...styleOf(marker)}
      >
        {marker.kind === 'cluster' ? (
          <span>{countText(marker.count)}</span>
        ) : (
          <SiteParts marker={marker} count={countText(marker.count)} />
        )}
        {marker.favourite ? <Badge kind="star" sign="★" /> : null}
      </button>
    </div>
  )
})

function SiteParts({ marker, count }: { marker: SiteMarker; count: string }) {
  const { look, kw, icao, airfield } = marker
  return (
    <>
      <MarkIcon look={look} size={sizeOf(kw)} />
      <span className="chargers-code ellipsis">{(icao ?? airfield ?? '').slice(0, 24)}</span>
      {marker.count > 1 ? <Badge kind="figures" sign={count} /> : null}
    </>
  )
}

/** Of a cluster, a ring with the shares of the four kinds. */
function styleOf(marker: Marker): { className?: string; style: CSSProperties } {
  if (marker.kind === 'site') return { style: { width: sizeOf(marker.kw), height: sizeOf(marker.kw) } }
  const { count, kinds } = marker
  const px = CLUSTER_PX + CLUSTER_GROWS_PX * Math.floor(Math.log10(count))
  let from = 0
  const shares = KINDS.map((kind) => {
    const to = from + (kinds[kind] / count) * 360
    const share = `var(--kind-${kind}) ${from}deg ${to}deg`
    from = to
    return share
  })
  const shared = { '--shares': `conic-gradient(${shares.join()})` } as CSSProperties
  return { className: 'chargers-cluster figures', style: { width: px, height: px, ...shared } }
}

const focus = ({ leaflet }: ChargerMap, marker: Marker | undefined) =>
  leaflet.getContainer().querySelector<HTMLElement>(`[data-key="${marker?.key}"]`)?.focus()

function nearest({ lat, lng }: Marker, markers: readonly Marker[]): Marker | undefined {
  const far = (one: Marker) => Math.hypot(one.lat - lat, one.lng - lng)
  return markers.toSorted((one, other) => far(one) - far(other))[0]
}

/** The next one within the quarter that an arrow points to. */
function next({ leaflet }: ChargerMap, from: Marker, [x, y]: readonly [number, number], markers: readonly Marker[]) {
  const start = leaflet.latLngToLayerPoint(from)
  const costs = markers.flatMap((marker) => {
    const by = leaflet.latLngToLayerPoint(marker).subtract(start)
    const along = by.x * x + by.y * y
    const aside = Math.abs(by.x * y) + Math.abs(by.y * x)
    return along > 0 && aside <= along ? [{ marker, cost: along + 2 * aside }] : []
  })
  return costs.sort((one, other) => one.cost - other.cost)[0]?.marker
}
