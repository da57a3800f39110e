import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { MAX_SPEED_KT } from '../../../../shared/chargers/route/aircraft.ts'
import { Popover } from '../../../parts/popover.tsx'
import { CheckField } from '../../../parts/field.tsx'
import { NumberField } from '../aircraft/number-field.tsx'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import { useRouteWords } from '../route/route-words.ts'
import { planArrival } from '../store/chargers-actions.ts'
import { useNow } from '../../../parts/use-now.ts'
import { useChargers, type ArrivalChoice } from '../store/chargers-store.ts'
import { UtcField } from '../utc-field.tsx'

const WAYS = ['none', 'time', 'flight'] as const
/** Until an aircraft is chosen or a speed entered. */
const USUAL_SPEED_KT = 100
const HOUR_MS = 3_600_000
const NOW_EVERY_MS = 60_000

/** The full hour that is at least one away. */
const nextHourMs = () => Math.ceil(Date.now() / HOUR_MS + 1) * HOUR_MS

/** Shows opening hours on arrival: at a given time, or after a flight to each charger. */
export function ArrivalChip() {
  const { t } = useTranslation('chargers')
  const words = useRouteWords()
  const arrival = useChargers((view) => view.arrival)
  const nowMs = useNow(NOW_EVERY_MS)
  const label =
    arrival === null
      ? t('arrival.chip')
      : arrival.by === 'time'
        ? t('arrival.chipAt', { time: words.clock(arrival.atMs, nowMs) })
        : t('arrival.chipFlight', { speed: arrival.speedKt })
  return (
    <Popover
      label={t('arrival.title')}
      className="chargers-facet"
      trigger={
        <button type="button" className={arrival === null ? 'chargers-chip' : 'chargers-chip on'}>
          {label}
          <ChevronDown size={12} aria-hidden />
        </button>
      }
    >
      <ArrivalFields arrival={arrival} />
    </Popover>
  )
}

function ArrivalFields({ arrival }: { arrival: ArrivalChoice | null }) {
  const { t } = useTranslation('chargers')
  const { chosen } = useAircraft()
  const from = useChargers((view) => view.from)
  const only = arrival?.only ?? true
  const take = (way: (typeof WAYS)[number]) => {
    if (way === 'none') planArrival(null)
    else if (way === 'time') planArrival({ by: 'time', atMs: nextHourMs(), only })
    else planArrival({ by: 'flight', speedKt: chosen?.speedKt ?? USUAL_SPEED_KT, only })
  }
  return (
    <>
      <div role="radiogroup" aria-label={t('arrival.title')} className="chargers-facet-values">
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
