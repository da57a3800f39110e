import { ChevronDown, Plane } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import { Button } from '../../../parts/button.tsx'
import { CheckField } from '../../../parts/field.tsx'
import { Popover } from '../../../parts/popover.tsx'
import { changeFilter } from '../store/chargers-actions.ts'
import { useFilter } from '../store/filter-query.ts'
import { AircraftChoice } from './aircraft-choice.tsx'
import { figuresOf, useAircraft } from './use-aircraft.ts'

/** Chooses the aircraft to check chargers against, and whether to show those that do not fit. */
export function AircraftChip() {
  const { t } = useTranslation('chargers')
  const { chosen } = useAircraft()
  const { fitting } = useFilter()
  const [draft, setDraft] = useState<Aircraft | null>(null)
  return (
    <Popover
      label={t('aircraft.mine')}
      className="chargers-aircraft-popover"
      onOpenChange={() => setDraft(null)}
      trigger={
        <Button className={chosen !== null && fitting ? 'chargers-chip on' : 'chargers-chip'}>
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
          if (aircraft === null) changeFilter({ fitting: false })
        }}
      />
      {chosen === null ? (
        <p className="secondary">{t('aircraft.chooseHint')}</p>
      ) : (
        <CheckField label={t('fit.filter')} checked={fitting} onChange={(on) => changeFilter({ fitting: on })} />
      )}
    </Popover>
  )
}
