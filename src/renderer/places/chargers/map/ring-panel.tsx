import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import { Button } from '../../../parts/button.tsx'
import type { Point } from '../../../../shared/chargers/distance.ts'
import { shownMap } from './charger-map.ts'
import { showRing } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { MAX_RING_NM } from '../store/remembered.ts'

const FIRST_NM = 60

/** Lays the ring around a place, and brings all of it into view. */
export function layRing(centre: Point, nm = useChargers.getState().ring?.nm ?? FIRST_NM): void {
  const ring = { centre, nm, only: useChargers.getState().ring?.only ?? false }
  showRing(ring)
  shownMap()?.revealRing(ring)
}

/** Sets the range ring: radius, centre, and whether only chargers inside it are shown. */
export function RingPanel() {
  const { t, i18n } = useTranslation('chargers')
  const ring = useChargers((view) => view.ring)
  const centre = useChargers((view) => view.centre)
  const [typed, setTyped] = useState(String(ring?.nm ?? FIRST_NM))
  const nm = Number(typed.replace(',', '.'))
  const isRight = nm >= 1 && nm <= MAX_RING_NM
  const setRadius = (text: string) => {
    setTyped(text)
    const value = Number(text.replace(',', '.'))
    if (ring !== null && value >= 1 && value <= MAX_RING_NM) showRing({ ...ring, nm: value })
  }
  return (
    <div className="chargers-ring-panel">
      <div className="field">
        <label htmlFor="chargers-ring-nm">{t('ring.radius')}</label>
        <input
          id="chargers-ring-nm"
          className="input figures"
          inputMode="decimal"
          value={typed}
          aria-invalid={!isRight}
          aria-describedby={isRight ? undefined : 'chargers-ring-wrong'}
          onChange={(event) => setRadius(event.target.value)}
        />
        {isRight ? null : (
          <p id="chargers-ring-wrong" className="field-error">
            {t('ring.bounds', { most: MAX_RING_NM.toLocaleString(i18n.language) })}
          </p>
        )}
      </div>
      {ring === null ? null : (
        <p className="secondary figures">
          {t('ring.centre')}: {degreesMinutes(ring.centre)}
        </p>
      )}
      <div className="chargers-ring-actions">
        <Button disabled={!isRight} kind={ring === null ? 'primary' : 'plain'} onClick={() => layRing(centre, nm)}>
          {ring === null ? t('ring.show') : t('ring.middle')}
        </Button>
        {ring === null ? null : <Button onClick={() => showRing(null)}>{t('ring.remove')}</Button>}
      </div>
      {ring === null ? null : (
        <label className="check">
          <input
            type="checkbox"
            checked={ring.only}
            onChange={(event) => showRing({ ...ring, only: event.target.checked })}
          />
          {t('ring.only')}
        </label>
      )}
      <p className="secondary">{t('ring.hint')}</p>
    </div>
  )
}
