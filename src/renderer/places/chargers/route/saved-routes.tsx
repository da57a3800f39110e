import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { planInQuery, queryOfPlan, type RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import type { SavedRoute } from '../../../../shared/settings.ts'
import { changeChargers } from '../../../store/charger-settings.ts'
import { inBackground } from '../../../store/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { CheckField, TextField } from '../../../parts/field.tsx'
import { changeRoute } from './route-store.ts'

const MOST_ROUTES = 50
const MOST_CHARGERS = 500
const NONE: readonly SavedRoute[] = []

const set = (routes: readonly SavedRoute[]) =>
  inBackground('saved-routes.set', () => changeChargers({ routes: [...routes] }))

/** Routes under a name: opened again, and told of when a charger of theirs goes out of order. */
export function SavedRoutes({ plan, route }: { plan: RoutePlan; route: PlannedRoute | null }) {
  const { t } = useTranslation('chargers')
  const routes = useShell(({ state }) => state?.settings.chargers.routes ?? NONE)
  const open = ({ query }: SavedRoute) => {
    const kept = planInQuery(new URLSearchParams(query))
    if (kept !== null) changeRoute(kept)
  }
  return (
    <details className="chargers-route-more">
      <summary>{t('route.saved.title')}</summary>
      <ul className="chargers-saved-routes">
        {routes.map((one) => (
          <li key={one.id}>
            <div className="chargers-aircraft-choice">
              <Button kind="quiet" onClick={() => open(one)}>
                <span dir="auto">{one.name}</span>
              </Button>
              <IconButton
                label={t('route.saved.remove', { name: one.name })}
                onClick={() => set(routes.filter(({ id }) => id !== one.id))}
              >
                <Trash2 size={14} aria-hidden />
              </IconButton>
            </div>
            <CheckField
              label={t('route.saved.notify', { name: one.name })}
              checked={one.notify}
              onChange={(notify) => set(routes.map((other) => (other.id === one.id ? { ...other, notify } : other)))}
            />
          </li>
        ))}
      </ul>
      {route === null || routes.length >= MOST_ROUTES ? null : (
        <SaveRoute key={`${plan.from?.name} ${plan.to?.name}`} plan={plan} route={route} routes={routes} />
      )}
    </details>
  )
}

function SaveRoute({ plan, route, routes }: { plan: RoutePlan; route: PlannedRoute; routes: readonly SavedRoute[] }) {
  const { t } = useTranslation('chargers')
  const service = useShell(({ state }) => state?.settings.chargerBaseUrl ?? null)
  const [name, setName] = useState(`${plan.from?.name ?? ''} → ${plan.to?.name ?? ''}`.slice(0, 100))
  const save = () => {
    const chargers = route.stops.flatMap((stop) => stop.chargers.map(({ id }) => id)).slice(0, MOST_CHARGERS)
    const one = { id: crypto.randomUUID(), name: name.trim(), query: queryOfPlan(plan).toString(), service, chargers }
    set([...routes.filter((other) => other.name !== one.name), { ...one, notify: true }])
  }
  return (
    <form
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
