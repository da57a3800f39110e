import { FileDown, FileUp } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import { MAX_PLACE_NAME, type OwnPlace } from '../../../../shared/chargers/route/own-places.ts'
import { readDegrees } from '../../../../shared/chargers/route/read-place.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button } from '../../../parts/button.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { TextField } from '../../../parts/field.tsx'
import { choosePlaces, keepPlaces, removePlaces, savePlaces, useOwnPlaces } from '../../../store/own-places.ts'
import { RemoveButton } from '../aircraft/saved-by-name.tsx'
import { toastWithUndo } from '../../../store/undo.ts'

/** Places that the service does not list, to be named in a route: typed, or taken from a file. */
export function OwnPlaces() {
  const { t } = useTranslation('chargers')
  const places = useOwnPlaces()
  const remove = (gone: readonly OwnPlace[]) =>
    inBackground('own-places.remove', async () => {
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
      <AddPlace />
      <div className="chargers-facts-actions">
        <Button onClick={choosePlaces}>
          <FileUp size={14} aria-hidden />
          {t('route.own.fromFile')}
        </Button>
        {places.length === 0 ? null : (
          <Menu
            items={(['gpx', 'cup'] as const).map((format) => ({
              label: t(`route.own.${format}`),
              onSelect: () => inBackground('own-places.save', () => savePlaces(places, format)),
            }))}
          >
            <Button>
              <FileDown size={14} aria-hidden />
              {t('route.own.toFile')}
            </Button>
          </Menu>
        )}
        {places.length < 2 ? null : (
          <Button kind="quiet" onClick={() => remove(places)}>
            {t('route.own.removeAll')}
          </Button>
        )}
      </div>
    </details>
  )
}

function AddPlace() {
  const { t } = useTranslation('chargers')
  const [name, setName] = useState('')
  const [where, setWhere] = useState('')
  const [isTried, setTried] = useState(false)
  const point = readDegrees(where)
  const add = async () => {
    if (point === null || name.trim() === '') return setTried(true)
    if (!(await keepPlaces([{ name: name.trim(), ...point }]))) return
    setName('')
    setWhere('')
    setTried(false)
  }
  return (
    <form
      noValidate
      className="chargers-own-place"
      onSubmit={(event) => {
        event.preventDefault()
        inBackground('own-places.add', add)
      }}
    >
      <TextField
        label={t('aircraft.name')}
        error={isTried && name.trim() === '' ? t('aircraft.nameNeeded') : null}
        maxLength={MAX_PLACE_NAME}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t('route.own.where')}
        error={isTried && point === null ? t('route.own.whereNeeded') : null}
        value={where}
        onChange={(event) => setWhere(event.target.value)}
      />
      <Button type="submit">{t('route.own.add')}</Button>
    </form>
  )
}
