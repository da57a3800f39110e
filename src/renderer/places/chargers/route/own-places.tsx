import { FileDown, FileUp } from 'lucide-react'
import { t } from 'i18next'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import type { OwnPlace } from '../../../../shared/chargers/route/own-places.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button } from '../../../parts/button.tsx'
import { choosePlaces, keepPlaces, removePlaces, savePlaces, useOwnPlaces } from '../../../store/own-places.ts'
import { RemoveButton } from '../aircraft/saved-by-name.tsx'
import { toastWithUndo } from '../../../store/toasts.ts'

/** Places that the service does not list, to be named in a route: the waypoints of a file. */
export function OwnPlaces() {
  const places = useOwnPlaces()
  const remove = (gone: readonly OwnPlace[]) =>
    inBackground(async () => {
      if (await removePlaces(gone))
        toastWithUndo(t('chargers:route.own.removed', { count: gone.length }), () => keepPlaces(gone))
    })
  return (
    <details className="chargers-route-more">
      <summary>{t('chargers:route.own.title')}</summary>
      {places.length === 0 ? (
        <p className="secondary">{t('chargers:route.own.none')}</p>
      ) : (
        <ul className="chargers-own-places" aria-label={t('chargers:route.own.title')}>
          {places.map((place) => (
            <li key={place.name}>
              <span className="ellipsis" dir="auto">
                {straightText(place.name)}
              </span>
              <span className="caption figures">{degreesMinutes(place)}</span>
              <RemoveButton name={place.name} onRemove={() => remove([place])} />
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Button onClick={choosePlaces}>
          <FileUp size={14} aria-hidden />
          {t('chargers:route.own.fromFile')}
        </Button>
        {places.length === 0 ? null : (
          <>
            <Button onClick={() => savePlaces(places)}>
              <FileDown size={14} aria-hidden />
              {t('chargers:route.own.toFile')}
            </Button>
            <Button kind="quiet" onClick={() => remove(places)}>
              {t('chargers:route.own.removeAll')}
            </Button>
          </>
        )}
      </div>
    </details>
  )
}
