import { useTranslation } from 'react-i18next'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { shownMap } from '../map/charger-map.ts'
import { placesOf, useRoute } from './route-store.ts'
import { useRouteWords } from './route-words.ts'

/** The proposed routes side by side; the picked one is shown in full below. */
export function RouteChoices({ routes, picked }: { routes: readonly PlannedRoute[]; picked: number }) {
  const { t } = useTranslation('chargers')
  const words = useRouteWords()
  const pick = (at: number) => {
    useRoute.setState({ picked: at, leg: null })
    shownMap()?.revealAll(placesOf(routes[at]!).map(({ place }) => place))
  }
  return (
    <table className="chargers-route-choices figures" aria-label={t('route.routes')}>
      <thead>
        <tr>
          <th scope="col">{t('route.title')}</th>
          <th scope="col">{t('route.stops')}</th>
          <th scope="col">{t('route.distance')}</th>
          <th scope="col">{t('route.total')}</th>
        </tr>
      </thead>
      <tbody>
        {routes.map((route, at) => (
          <tr key={at} className={at === picked ? 'picked' : ''}>
            <th scope="row">
              <label className="check">
                <input type="radio" name="chargers-route" checked={at === picked} onChange={() => pick(at)} />
                <span>{words.kinds(route)}</span>
              </label>
            </th>
            <td>{route.stops.length}</td>
            <td>{words.nm(route.nm)}</td>
            <td>{words.minutes(route.totalMinutes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
