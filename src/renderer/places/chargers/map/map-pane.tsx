import 'leaflet/dist/leaflet.css'
import './map.css'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TriangleAlert } from 'lucide-react'
import { useShortcuts } from '../../../parts/use-shortcut.ts'
import { Button } from '../../../parts/button.tsx'
import { coloursNow, onColours } from '../../../parts/colours.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import type { Marker } from '../data/marker.ts'
import { choose, highlight, settleMap, showRing } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { stopPicking, takeFromMap } from '../route/pick-on-map.ts'
import { gapOf, routesOf, useRoute } from '../route/route-store.ts'
import { useWords } from '../use-words.ts'
import { ChargerMap, type MapEvents, type MapWords } from './charger-map.ts'
import { MapControls } from './map-controls.tsx'
import { ScaleBar } from './scale-bar.tsx'
import { setShownMap } from './shown-map.ts'

/** Above this many, grouping the markers would delay the count for the next letter typed. */
const MANY_CHARGERS = 5000
/** Longer than most people's pause between two letters. */
const PAUSE_MS = 300

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
      <div ref={box} className="chargers-leaflet" role="application" tabIndex={0} />
      <SampleNotice />
      <PickHint />
      <MapControls map={map} />
      <ScaleBar />
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
      ringCentre: t('map.ringCentre'),
      count,
    }),
    [t, language, marker, count],
  )
}

function eventsOf(map: () => ChargerMap): MapEvents {
  return {
    onNeed: (bounds, zoom) => {
      const { client } = useChargers.getState()
      inBackground('chargers.markers', () =>
        client?.askNewest('markers', { bounds, zoom }).then((answer) => answer !== null && map().show(answer.markers)),
      )
    },
    onView: ({ centre, zoom }, byPerson) => settleMap(centre, zoom, byPerson),
    onChoose: (marker) => takeFromMap(marker, null) || chooseMarker(marker, map()),
    onClick: (marker, at) => takeFromMap(marker, at) || chooseMarker(marker, map()),
    onEnter: (at) => takeFromMap(null, at),
    onHighlight: (marker) =>
      highlight(marker === null ? null : { key: marker.key, at: { lat: marker.lat, lng: marker.lng } }),
    onRingMoved: (centre) => {
      const { ring } = useChargers.getState()
      if (ring !== null) showRing({ ...ring, centre })
    },
  }
}

function chooseMarker(marker: Marker | null, map: ChargerMap): void {
  if (marker === null) return
  if (marker.kind === 'site')
    return choose(
      marker.id === null ? { kind: 'site', key: marker.site } : { kind: 'charger', id: marker.id, fromSite: null },
    )
  const { client } = useChargers.getState()
  inBackground('chargers.expand', () =>
    client?.ask('expand', { cluster: marker.cluster }).then((zoom) => map.goTo(marker, zoom, true)),
  )
}

/** Keeps the map in step with the page's state. */
function useInStep(map: ChargerMap | null, words: MapWords): void {
  const round = useChargers(({ found }) => found?.mapRound ?? 0)
  const ring = useChargers((view) => view.ring)
  const chosen = useChargers((view) => view.chosenMark)
  const highlighted = useChargers((view) => view.highlighted)
  const { answer, picked, leg, picking } = useRoute()
  const streets = useShell(({ state }) => state?.settings.chargers.streetTiles ?? null)
  useEffect(() => {
    const { search, found } = useChargers.getState()
    const isTyping = search !== '' && (found?.total ?? 0) > MANY_CHARGERS
    const timer = setTimeout(() => map?.refresh(), isTyping ? PAUSE_MS : 0)
    return () => clearTimeout(timer)
  }, [map, round])
  useEffect(() => map?.showRing(ring), [map, ring, words])
  useEffect(() => map?.emphasize(chosen, highlighted), [map, chosen, highlighted])
  useEffect(
    () => map?.showRoutes({ routes: routesOf({ answer }), picked, leg, gap: gapOf({ answer }) }),
    [map, answer, picked, leg],
  )
  useEffect(() => map?.setPicking(picking !== null), [map, picking])
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

/** How to choose a place of the route on the map, while a person is doing that. */
function PickHint() {
  const { t } = useTranslation(['chargers', 'common'])
  const picking = useRoute((view) => view.picking)
  useShortcuts({ back: stopPicking }, picking !== null)
  const place = typeof picking === 'number' ? t('route.via', { number: picking + 1 }) : t(`route.${picking ?? 'from'}`)
  return (
    <div className={picking === null ? 'unseen' : 'chargers-pick'}>
      <p role="status">{picking === null ? null : t('route.picking', { place })}</p>
      {picking === null ? null : <Button onClick={stopPicking}>{t('common:cancel')}</Button>}
    </div>
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
