import { ChevronDown, Plane } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Aircraft, Fit } from '../../../../shared/chargers/route/aircraft.ts'
import { Button } from '../../../parts/button.tsx'
import { Popover } from '../../../parts/popover.tsx'
import { changeFilter } from '../store/chargers-actions.ts'
import { useFilter } from '../store/filter-query.ts'
import { AircraftChoice } from './aircraft-choice.tsx'
import { figuresOf, useAircraft } from './use-aircraft.ts'

const WANTED: readonly { name: 'all' | 'fits' | 'mayFit'; fit: readonly Fit[] }[] = [
  { name: 'all', fit: [] },
  { name: 'fits', fit: ['fits'] },
  { name: 'mayFit', fit: ['fits', 'not_known'] },
]

/** Chooses the aircraft to check chargers against, and whether to show only those that fit. */
export function AircraftChip() {
  const { t } = useTranslation('chargers')
  const { chosen } = useAircraft()
  const { fit } = useFilter()
  const [draft, setDraft] = useState<Aircraft | null>(null)
  const isOn = chosen !== null && fit.length > 0
  return (
    <Popover
      label={t('aircraft.mine')}
      className="chargers-aircraft-popover"
      onOpenChange={() => setDraft(null)}
      trigger={
        <Button className={isOn ? 'chargers-chip on' : 'chargers-chip'}>
          <Plane size={13} aria-hidden />
          <span className="ellipsis" dir="auto">
            {chosen === null ? t('aircraft.mine') : chosen.name}
          </span>
          <ChevronDown size={12} aria-hidden />
        </Button>
      }
    >
      <AircraftChoice
        mayBeNone
        aircraft={draft ?? (chosen === null ? null : figuresOf(chosen))}
        onAircraft={(aircraft) => {
          setDraft(aircraft)
          if (aircraft === null) changeFilter({ fit: [] })
        }}
      />
      {chosen === null ? (
        <p className="secondary">{t('aircraft.chooseHint')}</p>
      ) : (
        <div role="radiogroup" aria-label={t('fit.filter')} className="chargers-values">
          {WANTED.map((one) => (
            <label key={one.name} className="check">
              <input
                type="radio"
                name="chargers-fit"
                checked={String(one.fit) === String(fit)}
                onChange={() => changeFilter({ fit: one.fit })}
              />
              {t(`fit.wanted.${one.name}`)}
            </label>
          ))}
        </div>
      )}
    </Popover>
  )
}
