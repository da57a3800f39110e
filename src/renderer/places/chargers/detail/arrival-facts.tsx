import { useTranslation } from 'react-i18next'
import { closesSoon, openingAt } from '../../../../shared/chargers/route/arrival.ts'
import { planTime } from '../../../../shared/chargers/route/plan-time.ts'
import { useNow } from '../../../parts/use-now.ts'
import { Button } from '../../../parts/button.tsx'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import type { ChargerDetail } from '../data/protocol.ts'
import { useRouteWords } from '../route/route-words.ts'
import { planArrival } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { UtcField } from '../utc-field.tsx'

const NOW_EVERY_MS = 30_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Whether the charger is open at a given time, or on arrival from the reference point for distances. */
export function ArrivalFacts({ detail: { row, week, zone } }: { detail: ChargerDetail }) {
  const { t } = useTranslation('chargers')
  const words = useRouteWords()
  const { chosen } = useAircraft()
  const nowMs = useNow(NOW_EVERY_MS)
  const arrival = useChargers((view) => view.arrival)
  const from = useChargers((view) => view.from)
  const flightMs = (speedKt: number | null) =>
    speedKt === null || row.distanceNm === null ? null : (row.distanceNm / speedKt) * HOUR_MS
  const chosenMs = flightMs(chosen?.speedKt ?? null)
  const arrivalMs = arrival?.by === 'flight' ? later(nowMs, flightMs(arrival.speedKt)) : (arrival?.atMs ?? null)
  const opening = arrivalMs === null ? null : openingAt({ week, zone }, arrivalMs)
  const setTime = (atMs: number | null) =>
    planArrival(atMs === null ? null : { by: 'time', atMs, only: arrival?.only ?? false })
  return (
    <section className="chargers-arrival" aria-label={t('arrival.title')}>
      <h3>{t('arrival.title')}</h3>
      <UtcField label={t('arrival.at')} atMs={arrivalMs} onTime={setTime} />
      <div className="chargers-facts-actions">
        {arrival === null ? null : <Button onClick={() => setTime(null)}>{t('arrival.now')}</Button>}
        {chosenMs === null ? null : (
          <Button onClick={() => setTime(later(Date.now(), chosenMs))}>
            {t('arrival.bySpeed', {
              time: words.minutes(chosenMs / MINUTE_MS),
              from: from === null ? t('fromMiddle') : t('fromPoint', { name: from.name }),
            })}
          </Button>
        )}
      </div>
      {opening === null || arrivalMs === null ? null : (
        <>
          <p className={closesSoon(opening) ? 'chargers-disagree' : `chargers-line-open ${opening.state}`}>
            {words.arrival(opening)}
          </p>
          {opening.state === 'open' && row.opening.state === 'closed' && arrivalMs > nowMs ? (
            <p className="secondary">{t('arrival.opensBefore')}</p>
          ) : null}
          <p className="caption">{t('arrival.notLive')}</p>
        </>
      )}
    </section>
  )
}

/** To the minute, as the field shows it. */
function later(atMs: number, flightMs: number | null): number | null {
  return flightMs === null ? null : planTime(Math.round((atMs + flightMs) / MINUTE_MS) * MINUTE_MS)
}
