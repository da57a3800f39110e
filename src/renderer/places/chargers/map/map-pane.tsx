import 'leaflet/dist/leaflet.css'
import './map.css'
import L from 'leaflet'
import { Globe, Minus, Plus, TriangleAlert } from 'lucide-react'
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState, type MouseEvent } from 'react'
import i18next, { t } from 'i18next'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import { nameOf } from '../../../../shared/chargers/group.ts'
import { MAX_VIA, type NamedPlace } from '../../../../shared/chargers/route/route-plan.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { IconButton } from '../../../parts/button.tsx'
import { coloursNow, onColours } from '../../../parts/colours.ts'
import { useContextMenu } from '../../../parts/menu.tsx'
import { partMissing } from '../../../store/page-trouble.ts'
import { useShell } from '../../../store/shell-store.ts'
import { useView } from '../../../store/view-store.ts'
import type { Clusters, Marker } from '../data/sites.ts'
import { addVia, gapOf, openRoute, useRoute } from '../route/route-store.ts'
import { choose, settleMap } from '../store/chargers-actions.ts'
import { chargerIndex, chosenMark, useChargers } from '../store/chargers-store.ts'
import { loadBaseMap, showBaseMap, type BaseMap } from './base-layer.ts'
import { ChargerMap, setShownMap } from './charger-map.ts'
import { markLayer, routeLayer } from './layers.ts'
import { markerOf, Markers } from './markers.tsx'

/** More could neither be told apart nor be drawn in time: they are merged further. */
const MAX_MARKERS = 150
const CODES_ZOOM = 7

export function MapPane() {
  const box = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<ChargerMap | null>(null)
  const zoom = useChargers((view) => view.zoom)
  const clusters = useClusters()
  // In tasks of their own, after the one that draws the base map.
  const area = useDeferredValue(useChargers((view) => view.area))
  const level = useDeferredValue(zoom)
  const markers = useMemo(
    () => (area === null ? [] : (clusters?.within(area, level, MAX_MARKERS) ?? [])),
    [clusters, area, level],
  )
  const { onContextMenu, menu } = usePlaceMenu(map, markers)
  useEffect(() => (box.current === null ? undefined : openMap(box.current, setMap)), [])
  return (
    <div
      className={zoom >= CODES_ZOOM ? 'chargers-map near' : 'chargers-map'}
      role="region"
      aria-label={t('chargers:map.region')}
    >
      {menu}
      <div
        ref={box}
        className="chargers-leaflet"
        role="application"
        aria-label={t('chargers:map.label')}
        tabIndex={0}
        onContextMenu={onContextMenu}
      >
        {map === null || area === null ? null : (
          <>
            <Layers map={map} middle={(area.west + area.east) / 2} />
            <Markers
              key={i18next.language}
              map={map}
              markers={markers}
              middle={(area.west + area.east) / 2}
              onChoose={(marker) => chooseMarker(marker, clusters, map)}
            />
          </>
        )}
      </div>
      <SampleNotice />
      <MapControls map={map} />
    </div>
  )
}

/** Opens the map in an element until what is returned is called. */
function openMap(element: HTMLElement, onOpen: (map: ChargerMap) => void): () => void {
  const map = new ChargerMap(element, useChargers.getState(), settleMap)
  const observer = new ResizeObserver(() => map.resize())
  observer.observe(element)
  onOpen(map)
  setShownMap(map)
  return () => {
    observer.disconnect()
    setShownMap(null)
    map.close()
  }
}

/** Zooms into a cluster until it comes apart; shows what is at the airfield. */
function chooseMarker(marker: Marker, clusters: Clusters | null, map: ChargerMap | null): void {
  const sites = marker.kind === 'site' ? [marker] : (clusters?.sitesOf(marker) ?? [])
  const [first] = sites
  if (first === undefined || (marker.kind === 'cluster' && map?.zoomInto(sites) === true)) return
  if (sites.length === 1 && first.id !== null) choose({ kind: 'charger', id: first.id, fromSite: null })
  else choose({ kind: 'site', key: sites.map(({ site }) => site).join() })
}

/** What is found, indexed for the map; the last one until the next is there. */
function useClusters(): Clusters | null {
  const round = useChargers(({ found }) => found?.mapRound ?? 0)
  const [clusters, setClusters] = useState<Clusters | null>(null)
  useEffect(() => {
    let isCurrent = true
    inBackground(async () => {
      const made = await chargerIndex.clusters()
      if (isCurrent && made !== null) setClusters(made)
    })
    return () => {
      isCurrent = false
    }
  }, [round])
  return clusters
}

/** What lies under the markers. Layout effects, because the map is gone when other effects are cleaned up. */
function Layers({ map, middle }: { map: ChargerMap; middle: number }) {
  const { language } = i18next
  const highlighted = useChargers((view) => view.highlighted)
  const charger = useView((view) => view.charger)
  const found = useChargers((view) => view.found)
  const { planned, picked, leg } = useRoute()
  const [base, setBase] = useState<BaseMap | null>(null)
  const [colours, setColours] = useState(coloursNow)
  useEffect(() => {
    loadBaseMap().then(setBase, partMissing)
    return onColours(() => setColours(coloursNow()))
  }, [])
  useLayoutEffect(
    () => (base === null ? undefined : showBaseMap(map.leaflet, base, language)),
    [map, base, language, colours],
  )
  useLayoutEffect(() => {
    const chosen = chosenMark(charger)
    const marks = [highlighted?.key === chosen?.key ? null : highlighted, chosen]
    const rings = marks.flatMap((mark) => (mark?.at == null ? [] : markLayer(mark.at, middle, mark === chosen)))
    return shown(map, L.layerGroup(rings))
  }, [map, charger, found, highlighted, middle])
  useLayoutEffect(
    () => shown(map, routeLayer(map.leaflet, { routes: planned?.routes ?? [], picked, leg, gap: gapOf(planned) })),
    [map, planned, picked, leg],
  )
  return null
}

function shown({ leaflet }: ChargerMap, layer: L.Layer): () => void {
  layer.addTo(leaflet)
  return () => {
    layer.remove()
  }
}

function usePlaceMenu(map: ChargerMap | null, markers: readonly Marker[]) {
  const [place, setPlace] = useState<NamedPlace | null>(null)
  const mayAddVia = useView(({ route }) => route !== null && route.via.length < MAX_VIA)
  const item = (label: string, take: (place: NamedPlace) => void) => ({ label, onSelect: () => place && take(place) })
  const { onContextMenu, menu } = useContextMenu([
    item(t('chargers:route.toHere'), (to) => openRoute({ to })),
    item(t('chargers:route.fromHere'), (from) => openRoute({ from })),
    ...(mayAddVia ? [item(t('chargers:route.addVia'), addVia)] : []),
  ])
  const open = (event: MouseEvent) => {
    const marker = markerOf(event.target, markers)
    const at = marker === null ? map?.pointAt(event.nativeEvent) : { lat: marker.lat, lng: marker.lng }
    if (at === undefined) return
    const name = marker?.kind === 'site' ? nameOf(marker) : ''
    setPlace({ name: name || (degreesMinutes(at) ?? ''), place: at })
    onContextMenu(event)
  }
  return { onContextMenu: open, menu }
}

function MapControls({ map }: { map: ChargerMap | null }) {
  const controls = [
    { name: 'zoomIn', Icon: Plus, onClick: () => map?.zoomBy(1) },
    { name: 'zoomOut', Icon: Minus, onClick: () => map?.zoomBy(-1) },
    { name: 'world', Icon: Globe, onClick: () => map?.showWorld() },
  ] as const
  return (
    <div className="menu chargers-controls" role="group" aria-label={t('chargers:map.controls')}>
      {controls.map(({ name, Icon, onClick }) => (
        <IconButton key={name} tipSide="left" label={t(`chargers:map.${name}`)} onClick={onClick}>
          <Icon size={16} aria-hidden />
        </IconButton>
      ))}
    </div>
  )
}

/** Part of the map, so that every screenshot of it includes the notice. */
function SampleNotice() {
  const isSample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  if (!isSample) return null
  return (
    <p className="chargers-sample">
      <TriangleAlert size={13} aria-hidden />
      {t('chargers:sample')}
    </p>
  )
}
