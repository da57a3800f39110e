import { FileDown, FileUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
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
  const { t } = useTranslation('chargers')
  const places = useOwnPlaces()
  const remove = (gone: readonly OwnPlace[]) =>
    inBackground(async () => {
      if (await removePlaces(gone))
        toastWithUndo(t('route.own.removed', { count: gone.length }), () => keepPlaces(gone))
    })
  return (
    <details className="chargers-route-more">
      <summary>{t('route.own.title')}</summary>
      {places.length === 0 ? (
        <p className="secondary">{t('route.own.none')}</p>
      ) : (
        <ul className="chargers-own-places" aria-label={t('route.own.title')}>
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
          {t('route.own.fromFile')}
        </Button>
        {places.length === 0 ? null : (
          <>
            <Button onClick={() => savePlaces(places)}>
              <FileDown size={14} aria-hidden />
              {t('route.own.toFile')}
            </Button>
            <Button kind="quiet" onClick={() => remove(places)}>
              {t('route.own.removeAll')}
            </Button>
          </>
        )}
      </div>
    </details>
  )
}
