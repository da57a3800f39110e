import { Download } from 'lucide-react'
import { t } from 'i18next'
import { FULL_PERCENT, type RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { FILE_FORMATS, type FileFormat } from '../../../../shared/chargers/exports/charger-files.ts'
import { routeFile } from '../../../../shared/chargers/exports/route-files.ts'
import { Button } from '../../../parts/button.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { saveChargers } from '../../../store/save-text.ts'
import { useShell } from '../../../store/shell-store.ts'
import { toast } from '../../../store/toasts.ts'
import { SidePanel } from '../detail/chosen-panel.tsx'
import { OwnPlaces } from './own-places.tsx'
import { RouteForm } from './route-form.tsx'
import { RouteLegs } from './route-legs.tsx'
import { shownMap } from '../map/charger-map.ts'
import { changeRoute, placesOf, useRoute } from './route-store.ts'
import { routeWords } from '../charger-words.ts'
import { SavedRoutes } from './saved-routes.tsx'
import './route.css'

export function RoutePanel({ plan }: { plan: RoutePlan }) {
  const route = useRoute(({ planned, picked }) => planned?.routes[picked] ?? null)
  return (
    <SidePanel id="route" title={t('chargers:route.title')} back={t('detail:close')}>
      <RouteForm plan={plan} />
      <RouteAnswerPart plan={plan} />
      <SavedRoutes plan={plan} route={route} />
      <OwnPlaces />
      <p className="caption">
        {t('chargers:route.notForNavigation')}{' '}
        <span className="chargers-print-only">{t('chargers:route.notInData')}</span>
      </p>
    </SidePanel>
  )
}

function RouteAnswerPart({ plan }: { plan: RoutePlan }) {
  const words = routeWords()
  const planned = useRoute((view) => view.planned)
  const isPlanning = useRoute((view) => view.isPlanning)
  const picked = useRoute((view) => view.picked)
  if (planned === null) {
    if (plan.from === null || plan.to === null) return <p className="secondary">{t('chargers:route.giveEnds')}</p>
    return isPlanning ? (
      <p className="secondary" role="status">
        {t('chargers:route.planning')}
      </p>
    ) : null
  }
  const { routes, none } = planned
  const route = routes[picked] ?? routes[0]
  const leftOut = words.leftOut(planned.leftOut)
  return (
    <section className="chargers-route-answer stack snug" aria-label={t('chargers:route.routes')}>
      {none === null ? null : (
        <p className="callout secondary" role="status">
          {words.none(none)}
        </p>
      )}
      {route === undefined ? null : (
        <>
          <PrintHead plan={plan} route={route} />
          <RouteChoices routes={routes} picked={routes.indexOf(route)} />
          <RouteActions route={route} />
          <Assumed plan={plan} route={route} />
          <RouteLegs route={route} />
        </>
      )}
      {leftOut.length === 0 ? null : (
        <>
          <details className="chargers-route-more">
            <summary>{t('chargers:route.leftOutTitle')}</summary>
            <p className="secondary">{leftOut.join(', ')}</p>
          </details>
          <p className="chargers-print-only">
            {t('chargers:route.leftOutTitle')}: {leftOut.join(', ')}
          </p>
        </>
      )}
      {planned.leftOut.fitNotKnown === 0 ? null : (
        <Button kind="quiet" className="chargers-route-wrap" onClick={() => changeRoute({ takeFitNotKnown: true })}>
          {t('chargers:route.takeFitNotKnown')}
        </Button>
      )}
    </section>
  )
}

function Assumed({ plan, route: { departMs } }: { plan: RoutePlan; route: PlannedRoute }) {
  const words = routeWords()
  return (
    <>
      {plan.startPercent === FULL_PERCENT ? null : (
        <p className="secondary figures">{words.startsWith(plan.startPercent)}</p>
      )}
      {plan.wind === null ? null : <p className="secondary figures">{words.inWind(plan.wind)}</p>}
      {departMs === null ? null : (
        <p className={plan.departMs === null ? 'chargers-print-only figures' : 'figures'}>
          {t('chargers:route.departure', { at: words.clock(departMs, null) })}
          {departMs > (plan.departMs ?? Infinity) ? ` ${t('chargers:route.departurePast')}` : null}
        </p>
      )}
    </>
  )
}

/** What the form says of a route, in print only, where the form is left out. */
function PrintHead({ plan, route }: { plan: RoutePlan; route: PlannedRoute }) {
  const words = routeWords()
  const atMs = useShell(({ state }) => state?.chargers.status.atMs ?? null)
  return (
    <div className="chargers-print-only">
      <h1 dir="auto">{[plan.from, ...plan.via, plan.to].map((place) => place?.name).join(' → ')}</h1>
      <p>{words.summary(route)}</p>
      <p>{words.ranges(plan.aircraft, plan.wind)}</p>
      <p>
        <span dir="auto">{plan.from?.name}</span>: <span className="figures">{degreesMinutes(plan.from?.place)}</span>
      </p>
      {atMs === null ? null : <p>{t('chargers:route.dataFrom', { time: words.clock(atMs, null) })}</p>}
    </div>
  )
}

function RouteChoices({ routes, picked }: { routes: readonly PlannedRoute[]; picked: number }) {
  const words = routeWords()
  const pick = (at: number) => {
    useRoute.setState({ picked: at, leg: null })
    shownMap()?.revealAll(placesOf(routes[at]!).map(({ place }) => place))
  }
  return (
    <div className="chargers-route-choices stack snug" role="radiogroup" aria-label={t('chargers:route.title')}>
      {routes.map((route, at) => (
        <label key={at} className="check">
          <input type="radio" name="chargers-route" checked={at === picked} onChange={() => pick(at)} />
          <span>
            <b>{words.kinds(route)}</b>
            <span className="secondary figures">{words.brief(route)}</span>
          </span>
        </label>
      ))}
    </div>
  )
}

function RouteActions({ route }: { route: PlannedRoute }) {
  const sample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  const words = routeWords()
  const save = async (format: FileFormat) => {
    const text = routeFile(route, format, { sample, words })
    const name = await saveChargers(`${sample ? 'sample-' : ''}route`, format, text)
    if (name !== null) toast(t('chargers:route.fileSaved', { name }))
  }
  return (
    <div className="row">
      <Menu
        align="start"
        items={[
          ...FILE_FORMATS.map((format) => ({
            label: t(`chargers:route.export.${format}`),
            onSelect: () => save(format),
          })),
          null,
          { label: t('chargers:route.print'), onSelect: () => print() },
        ]}
      >
        <Button>
          <Download size={14} aria-hidden />
          {t('jobs:export')}
        </Button>
      </Menu>
    </div>
  )
}
