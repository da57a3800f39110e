import { useTranslation } from 'react-i18next'
import { idealChargeMinutes } from '../../../../shared/chargers/route/aircraft.ts'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import type { ChargerRow } from '../data/protocol.ts'
import { useRouteWords } from '../route/route-words.ts'

/** Whether the chosen aircraft can charge here, the reason, and the minimum time for a full charge. */
export function FitFacts({ row: { fit, power } }: { row: ChargerRow }) {
  const { t } = useTranslation('chargers')
  const words = useRouteWords()
  const { chosen } = useAircraft()
  if (chosen === null || fit === null) return null
  const kw = power === null ? null : Math.min(power.kw, chosen.maxKw ?? Infinity)
  const minutes = fit.fit === 'does_not_fit' ? null : idealChargeMinutes(chosen.usableKwh, kw)
  return (
    <section className="chargers-arrival" aria-label={t('fit.title', { name: chosen.name })}>
      <h3 dir="auto">{t('fit.title', { name: chosen.name })}</h3>
      <p className={`chargers-fit ${fit.fit}`}>{t(`fit.${fit.fit}`)}</p>
      {fit.fit === 'fits' || fit.reason === null ? null : (
        <p className="secondary">
          {fit.reason === 'aircraft' ? t('fit.why.not_known.aircraft') : t(`fit.why.${fit.fit}.${fit.reason}`)}
        </p>
      )}
      {minutes === null ? null : (
        <p className="secondary figures">
          {t('fit.charge', { kwh: words.kwh(chosen.usableKwh), time: words.minutes(minutes) })}
        </p>
      )}
    </section>
  )
}
