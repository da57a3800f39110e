import 'leaflet/dist/leaflet.css'
import './map.css'
import L from 'leaflet'
import { PanelLeftClose, PanelLeftOpen, TriangleAlert } from 'lucide-react'
import { ContextMenu } from 'radix-ui'
import {
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { useTranslation } from 'react-i18next'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import { nameOf } from '../../../../shared/chargers/group.ts'
import { usableNm } from '../../../../shared/chargers/route/aircraft.ts'
import { MOST_VIA, type NamedPlace } from '../../../../shared/chargers/route/route-plan.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { IconButton } from '../../../parts/button.tsx'
import { coloursNow, onColours } from '../../../parts/colours.ts'
import { partMissing } from '../../../store/page-trouble.ts'
import { useShell } from '../../../store/shell-store.ts'
import { useView } from '../../../store/view-store.ts'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import type { Clusters, Marker } from '../data/sites.ts'
import { addVia, gapOf, openRoute, routesOf, useRoute } from '../route/route-store.ts'
import { choose, measureFrom, settleMap } from '../store/chargers-actions.ts'
import { chargerSet, chosenMark, useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'
import { loadBaseMap, showBaseMap, type BaseMap } from './base-layer.ts'
import { ChargerMap, setShownMap } from './charger-map.ts'
import { markLayer, reachLayer, routeLayer } from './layers.ts'
import { MapControls } from './map-controls.tsx'
import { markerOf, Markers } from './markers.tsx'

/** More could neither be told apart nor be drawn in time: they are merged further. */
const MOST_MARKERS = 150
const CODES_ZOOM = 7
const SCALES_NM = [2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1]
const SCALE_PX = 120
const WORLD_PX = 256
const EQUATOR_NM = 21_639

/** The map with its overlays. Shown once its last position is known. */
export function MapPane() {
  const { t } = useTranslation('chargers')
  const box = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<ChargerMap | null>(null)
  const zoom = useChargers((view) => view.zoom)
  const clusters = useClusters()
  // In tasks of their own, after the one that draws the base map.
  const area = useDeferredValue(useChargers((view) => view.area))
  const level = useDeferredValue(zoom)
  const markers = useMemo(
    () => (area === null ? [] : (clusters?.within(area, level, MOST_MARKERS) ?? [])),
    [clusters, area, level],
  )
  useEffect(() => {
    if (box.current === null) return
    const made = new ChargerMap(box.current, useChargers.getState(), settleMap)
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(box.current)
    setMap(made)
    setShownMap(made)
    return () => {
      observer.disconnect()
      setShownMap(null)
      made.close()
    }
  }, [])
  const chooseMarker = (marker: Marker) => {
    const sites = marker.kind === 'site' ? [marker] : (clusters?.sitesOf(marker) ?? [])
    const [first] = sites
    if (first === undefined || (marker.kind === 'cluster' && map?.zoomInto(sites) === true)) return
    if (sites.length === 1 && first.id !== null) choose({ kind: 'charger', id: first.id, fromSite: null })
    else choose({ kind: 'site', key: sites.map(({ site }) => site).join() })
  }
  return (
    <div
      className={zoom >= CODES_ZOOM ? 'chargers-map near' : 'chargers-map'}
      role="region"
      aria-label={t('map.region')}
    >
      <ListSwitch />
      <WithMenu map={map} markers={markers}>
        <div ref={box} className="chargers-leaflet" role="application" aria-label={t('map.label')} tabIndex={0}>
          {map === null || area === null ? null : (
            <>
              <Layers map={map} middle={(area.west + area.east) / 2} />
              <Markers map={map} markers={markers} middle={(area.west + area.east) / 2} onChoose={chooseMarker} />
            </>
          )}
        </div>
      </WithMenu>
      <SampleNotice />
      <MapControls map={map} />
      <Scale />
      <Credit />
    </div>
  )
}

function ListSwitch() {
  const { t } = useTranslation('chargers')
  const isShown = useChargers((view) => view.isListShown)
  const Icon = isShown ? PanelLeftClose : PanelLeftOpen
  return (
    <IconButton
      className="chargers-list-switch"
      kind="plain"
      label={isShown ? t('hideList') : t('showList')}
      aria-expanded={isShown}
      onClick={() => useChargers.setState({ isListShown: !isShown })}
    >
      <Icon size={16} aria-hidden />
    </IconButton>
  )
}

/** What is found, indexed for the map; the last one until the next is there. */
function useClusters(): Clusters | null {
  const round = useChargers(({ found }) => found?.mapRound ?? 0)
  const [clusters, setClusters] = useState<Clusters | null>(null)
  useEffect(() => {
    let isCurrent = true
    inBackground('chargers.clusters', async () => {
      const made = await chargerSet.clusters()
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
  const { i18n } = useTranslation('chargers')
  const { language } = i18n
  const from = useChargers((view) => view.from)
  const aircraft = useAircraft().chosen
  const highlighted = useChargers((view) => view.highlighted)
  const charger = useView((view) => view.charger)
  const found = useChargers((view) => view.found)
  const { answer, picked, leg } = useRoute()
  const streets = useShell(({ state }) => state?.settings.chargers.streetTiles ?? null)
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
  const url = streets?.enabled === true ? streets.url : null
  useLayoutEffect(() => (url === null ? undefined : map.showStreets(url)), [map, url])
  const nm = aircraft === null ? null : usableNm(aircraft)
  useLayoutEffect(() => (from === null || nm === null ? undefined : shown(map, reachLayer(from, nm))), [map, from, nm])
  useLayoutEffect(() => {
    const chosen = chosenMark(charger)
    const marks = [highlighted?.key === chosen?.key ? null : highlighted, chosen]
    const rings = marks.flatMap((mark) => (mark?.at == null ? [] : markLayer(mark.at, middle, mark === chosen)))
    return shown(map, L.layerGroup(rings))
  }, [map, charger, found, highlighted, middle])
  useLayoutEffect(
    () => shown(map, routeLayer(map.leaflet, { routes: routesOf({ answer }), picked, leg, gap: gapOf({ answer }) })),
    [map, answer, picked, leg],
  )
  return null
}

function shown({ leaflet }: ChargerMap, layer: L.Layer): () => void {
  layer.addTo(leaflet)
  return () => {
    layer.remove()
  }
}
/** The menu of a place on the map, by the right button or the menu key. */
function WithMenu({
  map,
  markers,
  children,
}: {
  map: ChargerMap | null
  markers: readonly Marker[]
  children: ReactNode
}) {
  const { t } = useTranslation('chargers')
  const [place, setPlace] = useState<NamedPlace | null>(null)
  const mayAddVia = useView(({ route }) => route !== null && route.via.length < MOST_VIA)
  const take = ({ target, nativeEvent }: MouseEvent) => {
    const marker = markerOf(target, markers)
    const at = marker === null ? map?.pointAt(nativeEvent) : { lat: marker.lat, lng: marker.lng }
    const name = marker?.kind === 'site' ? nameOf(marker) : ''
    if (at !== undefined) setPlace({ name: name || (degreesMinutes(at) ?? ''), place: at })
  }
  const item = (label: string, onSelect: (place: NamedPlace) => void) => (
    <ContextMenu.Item className="menu-item" onSelect={() => place !== null && onSelect(place)}>
      {label}
    </ContextMenu.Item>
  )
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild onContextMenu={take}>
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content className="menu" collisionPadding={8}>
          {item(t('route.toHere'), (to) => openRoute({ to }))}
          {item(t('route.fromHere'), (from) => openRoute({ from }))}
          {mayAddVia ? item(t('route.addVia'), addVia) : null}
          {item(t('map.measureHere'), ({ name, place: at }) => measureFrom({ name, ...at }))}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}

/** Part of the map, so that every screenshot of it includes the notice. */
function SampleNotice() {
  const { t } = useTranslation('chargers')
  const isSample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  if (!isSample) return null
  return (
    <p className="chargers-sample">
      <TriangleAlert size={13} aria-hidden />
      {t('sample')}
    </p>
  )
}

/** How long a number of nautical miles is in the middle of the map. */
function Scale() {
  const words = useWords()
  const { centre, zoom } = useChargers()
  const pxOf = (nm: number) => (nm * WORLD_PX * 2 ** zoom) / (EQUATOR_NM * Math.cos((centre.lat * Math.PI) / 180))
  const nm = SCALES_NM.find((one) => pxOf(one) <= SCALE_PX)
  if (nm === undefined) return null
  return (
    <span className="chargers-scale" style={{ width: pxOf(nm) }}>
      {words.nm(nm)}
    </span>
  )
}

function Credit() {
  const { t } = useTranslation('chargers')
  const streets = useShell(({ state }) => state?.settings.chargers.streetTiles ?? null)
  return (
    <span className="chargers-credit ellipsis" dir="auto" title={t('map.natural')}>
      {streets?.enabled === true ? `${streets.attribution} · ` : null}
      {t('map.naturalShort')}
    </span>
  )
}
