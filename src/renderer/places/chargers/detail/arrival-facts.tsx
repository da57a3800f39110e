import { useTranslation } from 'react-i18next'
import { openingAt } from '../../../../shared/chargers/route/arrival.ts'
import { useNow } from '../../../frame/use-now.ts'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import type { ChargerDetail } from '../data/protocol.ts'
import { useRouteWords } from '../route/route-words.ts'
import { useChargers } from '../store/chargers-store.ts'

const NOW_EVERY_MS = 30_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Closing within this time after the arrival is worth a warning. */
const SOON_MINUTES = 60

/** Whether it is open at another time than now: one that is given, or that of a flight from where distances are told from. */
export function ArrivalFacts({ detail: { row, week, zone } }: { detail: ChargerDetail }) {
  const { t } = useTranslation('chargers')
  const words = useRouteWords()
  const { chosen } = useAircraft()
  const nowMs = useNow(NOW_EVERY_MS)
  const arrivalMs = useChargers((view) => view.arrivalMs)
  const from = useChargers((view) => view.from)
  const setArrival = (ms: number | null) => useChargers.setState({ arrivalMs: ms })
  const flightMs =
    chosen === null || chosen.speedKt === null || row.distanceNm === null
      ? null
      : (row.distanceNm / chosen.speedKt) * HOUR_MS
  const opening = arrivalMs === null ? null : openingAt({ week, zone }, arrivalMs)
  const closesSoon = opening?.closesInMinutes != null && opening.closesInMinutes < SOON_MINUTES
  return (
    <section className="chargers-arrival" aria-label={t('arrival.title')}>
      <h3>{t('arrival.title')}</h3>
      <TextField
        label={t('arrival.at')}
        type="datetime-local"
        value={arrivalMs === null ? '' : new Date(arrivalMs).toISOString().slice(0, 16)}
        onChange={(event) => {
          const ms = Date.parse(`${event.target.value}Z`)
          setArrival(Number.isFinite(ms) ? ms : null)
        }}
      />
      <div className="chargers-facts-actions">
        {arrivalMs === null ? null : <Button onClick={() => setArrival(null)}>{t('arrival.now')}</Button>}
        {flightMs === null ? null : (
          <Button onClick={() => setArrival(Math.round((Date.now() + flightMs) / MINUTE_MS) * MINUTE_MS)}>
            {t('arrival.bySpeed', {
              time: words.minutes(flightMs / MINUTE_MS),
              from: from === null ? t('fromMiddle') : t('fromPoint', { name: from.name }),
            })}
          </Button>
        )}
      </div>
      {opening === null || arrivalMs === null ? null : (
        <>
          <p className={closesSoon ? 'chargers-disagree' : `chargers-line-open ${opening.state}`}>
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
