import { useTranslation } from 'react-i18next'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { shownMap } from '../map/charger-map.ts'
import { placesOf, useRoute } from './route-store.ts'
import { useRouteWords } from './route-words.ts'

/** The proposed routes; the picked one is shown in full below. */
export function RouteChoices({ routes, picked }: { routes: readonly PlannedRoute[]; picked: number }) {
  const { t } = useTranslation('chargers')
  const words = useRouteWords()
  const pick = (at: number) => {
    useRoute.setState({ picked: at, leg: null })
    shownMap()?.revealAll(placesOf(routes[at]!).map(({ place }) => place))
  }
  return (
    <div className="chargers-route-choices" role="radiogroup" aria-label={t('route.title')}>
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
