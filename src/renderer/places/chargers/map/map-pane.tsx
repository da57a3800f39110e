import 'leaflet/dist/leaflet.css'
import './map.css'
import { ContextMenu } from 'radix-ui'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TriangleAlert } from 'lucide-react'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import { usableNm } from '../../../../shared/chargers/route/aircraft.ts'
import { nameOf } from '../../../../shared/chargers/group.ts'
import { MOST_VIA, type NamedPlace } from '../../../../shared/chargers/route/route-plan.ts'
import { coloursNow, onColours } from '../../../parts/colours.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { useView } from '../../../store/view-store.ts'
import type { Marker } from '../data/sites.ts'
import { choose, highlight, measureFrom, settleMap } from '../store/chargers-actions.ts'
import { chargerSet, useChargers } from '../store/chargers-store.ts'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import { addVia, gapOf, openRoute, routesOf, useRoute } from '../route/route-store.ts'
import { useWords } from '../use-words.ts'
import { ChargerMap, setShownMap, type MapEvents, type MapWords } from './charger-map.ts'
import { MapControls } from './map-controls.tsx'

/** The map with its overlays. Shown once its last position is known. */
export function MapPane() {
  const { t } = useTranslation('chargers')
  const box = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<ChargerMap | null>(null)
  const words = useMapWords()
  const firstWords = useRef(words)
  useEffect(() => {
    if (box.current === null) return
    const { centre, zoom } = useChargers.getState()
    const made: ChargerMap = new ChargerMap(
      box.current,
      { centre, zoom },
      firstWords.current,
      eventsOf(() => made),
    )
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
  useInStep(map, words)
  return (
    <div className="chargers-map" role="region" aria-label={t('map.region')}>
      <WithMenu map={map}>
        <div ref={box} className="chargers-leaflet" role="application" tabIndex={0} />
      </WithMenu>
      <SampleNotice />
      <MapControls map={map} />
      <Credit />
    </div>
  )
}

function useMapWords(): MapWords {
  const { t } = useTranslation('chargers')
  const { language, marker, count } = useWords()
  return useMemo(
    () => ({
      language,
      nameOf: marker,
      label: t('map.markers'),
      map: t('map.label'),
      count,
    }),
    [t, language, marker, count],
  )
}

function eventsOf(map: () => ChargerMap): MapEvents {
  return {
    onView: ({ centre, zoom }, byPerson) => settleMap(centre, zoom, byPerson),
    onChoose: (marker) => chooseMarker(marker, map()),
    onHighlight: (marker) =>
      highlight(marker === null ? null : { key: marker.key, at: { lat: marker.lat, lng: marker.lng } }),
  }
}

function chooseMarker(marker: Marker, map: ChargerMap): void {
  const sites = marker.kind === 'site' ? [marker] : map.open(marker)
  const [first] = sites
  if (first === undefined) return
  if (sites.length === 1 && first.id !== null) choose({ kind: 'charger', id: first.id, fromSite: null })
  else choose({ kind: 'site', key: sites.map(({ site }) => site).join() })
}

/** Keeps the map in step with the page's state. */
function useInStep(map: ChargerMap | null, words: MapWords): void {
  const round = useChargers(({ found }) => found?.mapRound ?? 0)
  const from = useChargers((view) => view.from)
  const aircraft = useAircraft().chosen
  const chosen = useChargers((view) => view.chosenMark)
  const highlighted = useChargers((view) => view.highlighted)
  const { answer, picked, leg } = useRoute()
  const streets = useShell(({ state }) => state?.settings.chargers.streetTiles ?? null)
  useEffect(() => {
    let isCurrent = true
    const show = async () => {
      const clusters = await chargerSet.clusters()
      if (isCurrent && clusters !== null) map?.show(clusters)
    }
    inBackground('chargers.clusters', show)
    return () => {
      isCurrent = false
    }
  }, [map, round])
  useEffect(() => map?.showReach(from, aircraft === null ? null : usableNm(aircraft)), [map, from, aircraft])
  useEffect(() => map?.emphasize(chosen, highlighted), [map, chosen, highlighted])
  useEffect(
    () => map?.showRoutes({ routes: routesOf({ answer }), picked, leg, gap: gapOf({ answer }) }),
    [map, answer, picked, leg],
  )
  useEffect(() => map?.say(words), [map, words])
  useEffect(() => map?.showStreets(streets?.enabled === true ? streets.url : null), [map, streets])
  useEffect(() => {
    let drawn = coloursNow()
    return onColours(() => {
      const now = coloursNow()
      if (now !== drawn) map?.recolour()
      drawn = now
    })
  }, [map])
}

/** The menu of a place on the map, by the right button or the menu key. */
function WithMenu({ map, children }: { map: ChargerMap | null; children: React.ReactNode }) {
  const { t } = useTranslation('chargers')
  const [place, setPlace] = useState<NamedPlace | null>(null)
  const mayAddVia = useView(({ route }) => route !== null && route.via.length < MOST_VIA)
  const take = (event: React.MouseEvent) => {
    if (map === null) return
    const { marker, at } = map.pressed(event.nativeEvent)
    const name = marker?.kind === 'site' ? nameOf(marker) : ''
    setPlace({ name: name || (degreesMinutes(at) ?? ''), place: at })
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
