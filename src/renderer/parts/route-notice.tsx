import { useTranslation } from 'react-i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import type { SavedRoute } from '../../shared/settings/settings.ts'
import { listText } from '../../shared/text/list-text.ts'
import { changeSavedRoute } from '../store/saved-routes.ts'
import { CheckField } from './field.tsx'

/** Switches the notices of a saved route; says which stops they are about. */
export function RouteNotice({ route: { id, name, notify, chargers, stops } }: { route: SavedRoute }) {
  const { t, i18n } = useTranslation('chargers')
  const stopsText = () => {
    if (chargers.length === 0) return t('route.saved.noStops')
    if (stops.length === 0) return t('route.saved.stopsUnknown')
    return t('route.saved.stops', { stops: listText(stops.map(straightText), i18n.language) })
  }
  return (
    <CheckField
      label={t('route.saved.notify', { name: straightText(name) })}
      hint={stopsText()}
      checked={notify}
      onChange={(isOn) => changeSavedRoute(id, { notify: isOn })}
    />
  )
}
