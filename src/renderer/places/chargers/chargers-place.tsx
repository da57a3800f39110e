// Must come first: it allows what Leaflet needs.
import './data/trusted.ts'
import { Route } from 'lucide-react'
import { t } from 'i18next'
import { PlaceHeader } from '../../parts/place-header.tsx'
import { useView } from '../../store/view-store.ts'
import { useShell } from '../../store/shell-store.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ChosenPanel } from './detail/chosen-panel.tsx'
import { FilterBar } from './filters/filter-bar.tsx'
import { MoreMenu } from './head/more-menu.tsx'
import { ProblemLine } from './head/problem-line.tsx'
import { ChargerList, ClearButton, SideHead } from './list/charger-list.tsx'
import { MapPane } from './map/map-pane.tsx'
import { RoutePanel } from './route/route-panel.tsx'
import { openRoute } from './route/route-store.ts'
import { useRoutePlanning } from './route/use-route.ts'
import { SearchBox } from './search/search-box.tsx'
import { useChargers } from './store/chargers-store.ts'
import { isFiltered, useFilter } from './store/filter-query.ts'
import { useChargersSetup } from './store/use-chargers-setup.ts'
import './chargers.css'
import { isOld } from '../../../shared/chargers/live-state.ts'
import { useNow } from '../../parts/use-now.ts'
import { exactTimeText, relativeText } from '../../text/figures.ts'

export default function ChargersPlace() {
  useChargersSetup()
  useRoutePlanning()
  const route = useView((view) => view.route)
  return (
    <section className="place chargers">
      <PlaceHeader title={t('common:places.chargers')} beside={<DataAge />}>
        <Button aria-pressed={route !== null} onClick={() => openRoute()}>
          <Route size={14} aria-hidden />
          {t('chargers:route.title')}
        </Button>
        <MoreMenu />
      </PlaceHeader>
      <div className="chargers-bar row">
        <SearchBox />
        {route === null ? <FilterBar /> : null}
      </div>
      <ProblemLine />
      <div className={route === null ? 'chargers-body' : 'chargers-body routing'}>
        <aside className="chargers-side" aria-label={t('common:places.chargers')}>
          <ChosenPanel>
            {route === null ? (
              <>
                <SideHead />
                <ListOrWhyNot />
              </>
            ) : (
              <RoutePanel plan={route} />
            )}
          </ChosenPanel>
        </aside>
        <MapPane />
      </div>
    </section>
  )
}

function ListOrWhyNot() {
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const found = useChargers((view) => view.found)
  const isFilterSet = isFiltered(useFilter())
  const isReading = status !== null && (status.refreshing || (status.version > 0 && found === null))
  const { listed, counted } = status?.progress ?? { listed: 0, counted: null }
  const reading = () => {
    const figures = { listed, counted: counted ?? 0 }
    if (listed === 0) return t('chargers:reading')
    return counted === null || counted < listed ? t('chargers:readingSoFar', figures) : t('chargers:readingOf', figures)
  }
  const noneText = () => {
    if (found === null) return isReading ? reading() : t('chargers:noData')
    return found.total === 0 ? t('chargers:empty') : isFilterSet ? t('chargers:noMatch') : t('chargers:noHit')
  }
  if (found !== null && found.matches > 0) return <ChargerList />
  return (
    <div className="chargers-none">
      <Empty text={noneText()}>
        {found === null || found.total === 0 ? null : (
          <ClearButton>{isFilterSet ? t('chargers:clear') : t('jobs:clearSearch')}</ClearButton>
        )}
      </Empty>
    </div>
  )
}

function DataAge() {
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const minutes = useShell(({ state }) => state?.settings.chargers.refreshMinutes ?? 0)
  const nowMs = useNow()
  if (status === null) return null
  const { atMs, refreshing } = status
  const old = isOld(status, minutes, nowMs)
  const when = atMs === null ? null : relativeText(atMs, nowMs)
  return (
    <span className="chargers-age figures" title={atMs === null ? undefined : exactTimeText(atMs)}>
      <span className={old ? 'is-held' : ''}>
        {when === null ? t('chargers:age.never') : old ? t('chargers:age.stale', { when }) : when}
      </span>
      {refreshing ? ` · ${t('chargers:refreshing')}` : null}
    </span>
  )
}
