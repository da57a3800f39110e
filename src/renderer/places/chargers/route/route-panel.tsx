import { useTranslation } from 'react-i18next'
import { FULL_PERCENT, type PlanPart, type RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import { namesNothing } from '../../../../shared/chargers/route/aircraft.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import { FIGURE_LABELS } from '../aircraft/aircraft-fields.tsx'
import { Button } from '../../../parts/button.tsx'
import { SidePanel } from '../detail/side-panel.tsx'
import { LeftOutList } from './left-out-list.tsx'
import { OwnPlaces } from './own-places.tsx'
import { RouteActions } from './route-actions.tsx'
import { RouteChoices } from './route-choices.tsx'
import { RouteForm } from './route-form.tsx'
import { RouteLegs } from './route-legs.tsx'
import { RoutePrintHead } from './route-print-head.tsx'
import { changeRoute, closeRoute, routesOf, useRoute } from './route-store.ts'
import { useRouteWords } from './route-words.ts'
import { SavedRoutes } from './saved-routes.tsx'
import './route.css'

/** Plans a flight from charger to charger: the form and the resulting routes. */
export function RoutePanel({ plan }: { plan: RoutePlan }) {
  const { t } = useTranslation('chargers')
  const answer = useRoute((view) => view.answer)
  const picked = useRoute((view) => view.picked)
  const route = routesOf({ answer })[picked] ?? null
  return (
    <SidePanel id="route" title={t('route.heading')} back={t('detail.back')} onBack={closeRoute}>
      <RouteForm plan={plan} />
      <RouteAnswerPart plan={plan} />
      <SavedRoutes plan={plan} route={route} />
      <OwnPlaces />
      <p className="caption">{t('route.notForNavigation')}</p>
    </SidePanel>
  )
}

/** What each part of a plan is called in the form. */
const PART_LABELS = {
  range: FIGURE_LABELS.rangeNm,
  reserve: FIGURE_LABELS.reserve,
  speed: FIGURE_LABELS.speedKt,
  energy: FIGURE_LABELS.usableKwh,
  kw: FIGURE_LABELS.maxKw,
  via: 'route.viaPoints',
  avoid: 'route.avoided',
  depart: 'route.depart',
  ground: 'route.ground',
  wind: 'route.wind',
  charge: 'route.startCharge',
} as const satisfies Record<PlanPart, string>

function Unreadable({ plan: { unreadable } }: { plan: RoutePlan }) {
  const { t, i18n } = useTranslation('chargers')
  const parts = listText(
    unreadable.map((part) => t(PART_LABELS[part])),
    i18n.language,
  )
  return (
    <div className="chargers-disagree" role="alert">
      {t('route.unreadable', { parts })}
      <Button kind="quiet" className="chargers-route-wrap" onClick={() => changeRoute({ unreadable: [] })}>
        {t('route.planAsItIs')}
      </Button>
    </div>
  )
}

function RouteAnswerPart({ plan }: { plan: RoutePlan }) {
  const { t } = useTranslation('chargers')
  const routeWords = useRouteWords()
  const answer = useRoute((view) => view.answer)
  const isPlanning = useRoute((view) => view.isPlanning)
  const picked = useRoute((view) => view.picked)
  if (plan.unreadable.length > 0) return <Unreadable plan={plan} />
  if (answer === null) {
    if (plan.from === null || plan.to === null) return <p className="secondary">{t('route.giveEnds')}</p>
    return isPlanning ? (
      <p className="secondary" role="status">
        {t('route.planning')}
      </p>
    ) : null
  }
  const routes = routesOf({ answer })
  const route = routes[picked] ?? routes[0]
  return (
    <section className="chargers-route-answer" aria-label={t('route.routes')}>
      {answer.answer.kind === 'no_route' || answer.answer.kind === 'low_charge' ? (
        <p className="chargers-disagree" role="status">
          {answer.answer.kind === 'no_route' ? routeWords.none(answer.answer) : routeWords.lowCharge(answer.answer)}
        </p>
      ) : null}
      {route === undefined ? null : (
        <>
          <RoutePrintHead plan={plan} route={route} />
          <RouteChoices routes={routes} picked={routes.indexOf(route)} />
          <RouteActions route={route} />
          {plan.startPercent === FULL_PERCENT ? null : (
            <p className="secondary figures">{routeWords.startsWith(plan.startPercent)}</p>
          )}
          {plan.wind === null ? null : <p className="secondary figures">{routeWords.inWind(plan.wind)}</p>}
          <RouteLegs route={route} />
        </>
      )}
      {route !== undefined && namesNothing(plan.aircraft) ? <p className="secondary">{t('route.anyCharger')}</p> : null}
      <LeftOutList leftOut={answer.leftOut} />
      {answer.leftOut.fitNotKnown === 0 ? null : (
        <Button kind="quiet" className="chargers-route-wrap" onClick={() => changeRoute({ takeFitNotKnown: true })}>
          {t('route.takeFitNotKnown')}
        </Button>
      )}
    </section>
  )
}
