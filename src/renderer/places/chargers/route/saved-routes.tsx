import { t } from 'i18next'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { planInQuery, queryOfPlan, type RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import type { SavedRoute } from '../../../../shared/settings/settings.ts'
import { changeChargers } from '../../../store/charger-settings.ts'
import { useShell } from '../../../store/shell-store.ts'
import { Button } from '../../../parts/button.tsx'
import { CheckField } from '../../../parts/field.tsx'
import { listText } from '../../../text/figures.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { NameForm, RemoveButton } from '../aircraft/saved-by-name.tsx'
import { changeRoute } from './route-store.ts'

const NONE: readonly SavedRoute[] = []
const MAX_ROUTES = 50
const MAX_CHARGERS = 500
const MAX_STOPS = 100
const MAX_NAME = 200

export function SavedRoutes({ plan, route }: { plan: RoutePlan; route: PlannedRoute | null }) {
  const routes = useShell(({ state }) => state?.settings.chargers.routes ?? NONE)
  const inUse = useShell(({ state }) => state?.settings.chargerBaseUrl ?? null)
  const set = (change: (routes: readonly SavedRoute[]) => SavedRoute[]) =>
    changeChargers((now) => ({ routes: change(now.routes) }))
  const open = ({ query }: SavedRoute) => changeRoute(planInQuery(new URLSearchParams(query)) ?? {})
  const save = (name: string, { stops }: PlannedRoute) => {
    const one: SavedRoute = {
      id: crypto.randomUUID(),
      name,
      query: queryOfPlan(plan).toString(),
      service: inUse,
      chargers: stops.flatMap((stop) => stop.chargers.map(({ id }) => id)).slice(0, MAX_CHARGERS),
      stops: stops.map((stop) => straightText(stop.name).slice(0, MAX_NAME)).slice(0, MAX_STOPS),
      notify: true,
    }
    return set((now) => [...now.filter((other) => other.name !== name), one])
  }
  return (
    <details className="chargers-route-more">
      <summary>{t('chargers:route.saved.title')}</summary>
      <ul className="chargers-saved-routes stack snug">
        {routes.map((one) => (
          <li key={one.id}>
            <div className="chargers-with-button">
              <Button kind="quiet" onClick={() => open(one)}>
                <span dir="auto">{straightText(one.name)}</span>
              </Button>
              <RemoveButton
                name={one.name}
                onRemove={() => inBackground(() => set((now) => now.filter(({ id }) => id !== one.id)))}
              />
            </div>
            <CheckField
              label={t('chargers:route.saved.notify', { name: straightText(one.name) })}
              hint={stopsText(one)}
              checked={one.notify}
              onChange={(notify) =>
                inBackground(() =>
                  set((now) => now.map((other) => (other.id === one.id ? { ...other, notify } : other))),
                )
              }
            />
          </li>
        ))}
      </ul>
      {route === null || routes.length >= MAX_ROUTES ? null : (
        <NameForm
          key={`${plan.from?.name} ${plan.to?.name}`}
          name={`${plan.from?.name ?? ''} → ${plan.to?.name ?? ''}`.slice(0, 100)}
          maxLength={100}
          label={t('chargers:route.saved.save')}
          onSave={(name) => save(name, route)}
        />
      )}
    </details>
  )
}

function stopsText({ chargers, stops }: SavedRoute): string {
  if (chargers.length === 0) return t('chargers:route.saved.noStops')
  if (stops.length === 0) return t('chargers:route.saved.stopsUnknown')
  return t('chargers:route.saved.stops', { stops: listText(stops.map(straightText)) })
}
