import { useTranslation } from 'react-i18next'
import { MAX_SPEED_KT } from '../../../../shared/chargers/route/aircraft.ts'
import { CheckField } from '../../../parts/field.tsx'
import { NumberField } from '../aircraft/number-field.tsx'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import { planArrival } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { UtcField } from '../utc-field.tsx'

const WAYS = ['none', 'time', 'flight'] as const
/** Until an aircraft is chosen or a speed entered. */
const USUAL_SPEED_KT = 100
const HOUR_MS = 3_600_000

/** The full hour that is at least one away. */
const nextHourMs = () => Math.ceil(Date.now() / HOUR_MS + 1) * HOUR_MS

/** Opening hours on arrival: at a given time, or after a flight to each charger. */
export function ArrivalFields() {
  const { t } = useTranslation('chargers')
  const { chosen } = useAircraft()
  const arrival = useChargers((view) => view.arrival)
  const from = useChargers((view) => view.from)
  const only = arrival?.only ?? true
  const take = (way: (typeof WAYS)[number]) => {
    if (way === 'none') planArrival(null)
    else if (way === 'time') planArrival({ by: 'time', atMs: nextHourMs(), only })
    else planArrival({ by: 'flight', speedKt: chosen?.speedKt ?? USUAL_SPEED_KT, only })
  }
  return (
    <>
      <div role="radiogroup" aria-label={t('arrival.title')} className="chargers-values">
        {WAYS.map((way) => (
          <label key={way} className="check">
            <input
              type="radio"
              name="chargers-arrival"
              checked={(arrival?.by ?? 'none') === way}
              onChange={() => take(way)}
            />
            {t(`arrival.by.${way}`)}
          </label>
        ))}
      </div>
      {arrival?.by === 'time' ? (
        <UtcField
          label={t('arrival.at')}
          atMs={arrival.atMs}
          onTime={(atMs) => atMs !== null && planArrival({ by: 'time', atMs, only })}
        />
      ) : null}
      {arrival?.by === 'flight' ? (
        <>
          <NumberField
            label={t('arrival.speed')}
            value={arrival.speedKt}
            least={10}
            most={MAX_SPEED_KT}
            isNeeded
            onValue={(speedKt) => speedKt !== null && planArrival({ by: 'flight', speedKt, only })}
          />
          <p className="caption">
            {t('arrival.from', { from: from === null ? t('fromMiddle') : t('fromPoint', { name: from.name }) })}
          </p>
        </>
      ) : null}
      {arrival === null ? null : (
        <CheckField
          label={t('arrival.only')}
          checked={only}
          onChange={(checked) => planArrival({ ...arrival, only: checked })}
        />
      )}
      <p className="caption">{t('arrival.notLive')}</p>
    </>
  )
}
