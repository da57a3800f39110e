import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import { isSameService } from '../../../../shared/chargers/route/saved-routes.ts'
import { planInQuery, queryOfPlan, type RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import type { SavedRoute } from '../../../../shared/settings/settings.ts'
import { changeSavedRoute, setSavedRoutes, useSavedRoutes } from '../../../store/saved-routes.ts'
import { useShell } from '../../../store/shell-store.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { RouteNotice } from '../../../parts/route-notice.tsx'
import { changeRoute } from './route-store.ts'

const MOST_ROUTES = 50
const MOST_CHARGERS = 500
const MOST_STOPS = 100
const MOST_NAME = 200

/** Saved routes: opens them, and switches notices for chargers on them that go out of order. */
export function SavedRoutes({ plan, route }: { plan: RoutePlan; route: PlannedRoute | null }) {
  const { t, i18n } = useTranslation('chargers')
  const routes = useSavedRoutes()
  const inUse = useShell(({ state }) => state?.settings.chargerBaseUrl ?? null)
  const open = ({ query, service }: SavedRoute) => {
    const kept = planInQuery(new URLSearchParams(query))
    if (kept !== null) changeRoute(isSameService(service, inUse) ? kept : withoutAvoided(kept))
  }
  const nowText = (stops: readonly string[]) =>
    stops.length === 0
      ? t('route.saved.otherNoStops')
      : t('route.saved.otherStops', { stops: listText(stops, i18n.language) })
  return (
    <details className="chargers-route-more">
      <summary>{t('route.saved.title')}</summary>
      <ul className="chargers-saved-routes">
        {routes.map((one) => (
          <li key={one.id}>
            <div className="chargers-aircraft-choice">
              <Button kind="quiet" onClick={() => open(one)}>
                <span dir="auto">{straightText(one.name)}</span>
              </Button>
              <IconButton
                label={t('route.saved.remove', { name: straightText(one.name) })}
                onClick={() => setSavedRoutes(routes.filter(({ id }) => id !== one.id))}
              >
                <Trash2 size={14} aria-hidden />
              </IconButton>
            </div>
            <RouteNotice route={one} />
            {route === null || !isSameService(one.service, inUse) || !isOtherNow(one, plan, route) ? null : (
              <p className="caption" dir="auto">
                {nowText(stopNames(route))}{' '}
                <button
                  type="button"
                  className="chargers-clear"
                  onClick={() => changeSavedRoute(one.id, stopsOf(route))}
                >
                  {t('route.saved.takeStops')}
                </button>
              </p>
            )}
          </li>
        ))}
      </ul>
      {route === null || routes.length >= MOST_ROUTES ? null : (
        <SaveRoute key={`${plan.from?.name} ${plan.to?.name}`} plan={plan} route={route} routes={routes} />
      )}
    </details>
  )
}

const chargersOf = ({ stops }: PlannedRoute) =>
  stops.flatMap((stop) => stop.chargers.map(({ id }) => id)).slice(0, MOST_CHARGERS)

const stopNames = ({ stops }: PlannedRoute) => stops.map(({ name }) => straightText(name).slice(0, MOST_NAME))

/** What notices are about. Planned on another day, the route may stop elsewhere; the person then decides which stops count. */
const stopsOf = (route: PlannedRoute) => ({
  chargers: chargersOf(route),
  stops: stopNames(route).slice(0, MOST_STOPS),
})

/** Whether the plan is that of the saved route, but stops elsewhere now. */
function isOtherNow(one: SavedRoute, plan: RoutePlan, route: PlannedRoute): boolean {
  const kept = planInQuery(new URLSearchParams(one.query))
  if (kept === null || queryOfPlan(kept).toString() !== queryOfPlan(plan).toString()) return false
  const now = new Set(chargersOf(route))
  return now.size !== new Set(one.chargers).size || one.chargers.some((id) => !now.has(id))
}

/** Of another service: its numbers mean other chargers there. */
function withoutAvoided(plan: RoutePlan): RoutePlan {
  return { ...plan, avoid: [], unreadable: plan.unreadable.filter((part) => part !== 'avoid') }
}

function SaveRoute({ plan, route, routes }: { plan: RoutePlan; route: PlannedRoute; routes: readonly SavedRoute[] }) {
  const { t } = useTranslation('chargers')
  const service = useShell(({ state }) => state?.settings.chargerBaseUrl ?? null)
  const [name, setName] = useState(`${plan.from?.name ?? ''} → ${plan.to?.name ?? ''}`.slice(0, 100))
  const save = () => {
    const query = queryOfPlan(plan).toString()
    const one = { id: crypto.randomUUID(), name: name.trim(), query, service, ...stopsOf(route) }
    setSavedRoutes([...routes.filter((other) => other.name !== one.name), { ...one, notify: true }])
  }
  return (
    <form
      noValidate
      className="chargers-aircraft-keep"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') save()
      }}
    >
      <TextField
        label={t('aircraft.name')}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" disabled={name.trim() === ''}>
        {t('route.saved.save')}
      </Button>
    </form>
  )
}
