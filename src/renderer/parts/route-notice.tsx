import { listText } from '../text/figures.ts'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import type { SavedRoute } from '../../shared/settings/settings.ts'
import { changeSavedRoute } from '../store/saved-routes.ts'
import { CheckField } from './field.tsx'

/** Switches the notices of a saved route; says which stops they are about. */
export function RouteNotice({ route: { id, name, notify, chargers, stops } }: { route: SavedRoute }) {
  const stopsText = () => {
    if (chargers.length === 0) return t('chargers:route.saved.noStops')
    if (stops.length === 0) return t('chargers:route.saved.stopsUnknown')
    return t('chargers:route.saved.stops', { stops: listText(stops.map(straightText)) })
  }
  return (
    <CheckField
      label={t('chargers:route.saved.notify', { name: straightText(name) })}
      hint={stopsText()}
      checked={notify}
      onChange={(isOn) => changeSavedRoute(id, { notify: isOn })}
    />
  )
}
