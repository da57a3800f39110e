import { useTranslation } from 'react-i18next'
import { usableNm } from '../../../../shared/chargers/route/aircraft.ts'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import type { RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import { useShell } from '../../../store/shell-store.ts'
import { useRouteWords } from './route-words.ts'

/** What the form says of a route, in print only, where the form is left out. */
export function RoutePrintHead({ plan, route }: { plan: RoutePlan; route: PlannedRoute }) {
  const { t } = useTranslation('chargers')
  const words = useRouteWords()
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const { aircraft, wind } = plan
  const { rangeNm } = aircraft
  const reserve = words.nm(rangeNm - (usableNm(aircraft) ?? 0))
  return (
    <div className="chargers-print-only">
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
      <p>
        <span dir="auto">{plan.from?.name}</span>: <span className="figures">{degreesMinutes(plan.from?.place)}</span>
      </p>
      {status?.atMs == null ? null : <p>{t('route.dataFrom', { time: words.clock(status.atMs, null) })}</p>}
    </div>
  )
}
