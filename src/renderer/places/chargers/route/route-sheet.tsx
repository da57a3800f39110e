import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { namesNothing, usableNm } from '../../../../shared/chargers/route/aircraft.ts'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import type { LeftOut } from '../../../../shared/chargers/route/route-network.ts'
import { FULL_PERCENT, type RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import { useShell } from '../../../store/shell-store.ts'
import { LeftOutList } from './left-out-list.tsx'
import { RouteLegs } from './route-legs.tsx'
import { useRouteWords } from './route-words.ts'
import '../../../parts/paper.css'

/** The printed form of a route: outside the window's content, and only visible in print. */
export function RouteSheet({ plan, route, leftOut }: { plan: RoutePlan; route: PlannedRoute; leftOut: LeftOut }) {
  const { t } = useTranslation('chargers')
  const words = useRouteWords()
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const { aircraft, wind } = plan
  const { rangeNm } = aircraft
  const reserve = words.nm(rangeNm - (usableNm(aircraft) ?? 0))
  return createPortal(
    <section className="paper chargers-route-sheet">
      <h1 dir="auto">{[plan.from, ...plan.via, plan.to].map((place) => place?.name).join(' → ')}</h1>
      <p>
        {t(route.waitingMinutes === null || route.waitingMinutes === 0 ? 'route.summary' : 'route.summaryWait', {
          stops: t('route.stopCount', { count: route.stops.length }),
          nm: words.nm(route.nm),
          flying: words.minutes(route.flyingMinutes),
          waiting: words.minutes(route.waitingMinutes),
          charging: words.minutes(route.chargingMinutes),
          total: words.minutes(route.totalMinutes),
        })}
      </p>
      <p>{t(wind === null ? 'route.ranges' : 'route.rangesInAir', { range: words.nm(rangeNm), reserve })}</p>
      {plan.startPercent === FULL_PERCENT ? null : <p>{words.startsWith(plan.startPercent)}</p>}
      {wind === null ? null : <p>{words.inWind(wind)}</p>}
      {namesNothing(plan.aircraft) ? <p>{t('route.anyCharger')}</p> : null}
      <p>
        <span dir="auto">{plan.from?.name}</span>: <span className="figures">{degreesMinutes(plan.from?.place)}</span>
      </p>
      <RouteLegs route={route} onPaper />
      <LeftOutList leftOut={leftOut} />
      <p>
        <b>{t('route.notForNavigation')}</b>
        {status?.sample === true ? ` ${t('sample')}.` : null}
        {status?.atMs == null ? null : ` ${t('route.dataFrom', { time: words.clock(status.atMs, null) })}`}
      </p>
    </section>,
    document.body,
  )
}
