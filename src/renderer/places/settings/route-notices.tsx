import { t } from 'i18next'
import { RouteNotice } from '../../parts/route-notice.tsx'
import { useSavedRoutes } from '../../store/saved-routes.ts'

/** The saved routes, each with the switch for its notices. */
export default function RouteNotices() {
  const routes = useSavedRoutes()
  if (routes.length === 0) return null
  return (
    <fieldset className="settings-routes stack">
      <legend className="field-label">{t('settings:routeNotices')}</legend>
      {routes.map((route) => (
        <RouteNotice key={route.id} route={route} />
      ))}
    </fieldset>
  )
}
