import { useTranslation } from 'react-i18next'
import { decimalDegrees, degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'
import type { ChargerDetail } from '../data/row.ts'
import { layRing } from '../map/ring-panel.tsx'
import { useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'

/** The position, what it refers to, and links for other programs. */
export function PositionFacts({ detail }: { detail: ChargerDetail }) {
  const { row, charger } = detail
  const { t } = useTranslation('chargers')
  const words = useWords()
  const from = useChargers((view) => view.from)
  const { at, distanceNm } = row
  const decimal = decimalDegrees(at)
  const minutes = degreesMinutes(at)
  if (at === null || decimal === null || minutes === null) return <p className="secondary">{t('detail.noPosition')}</p>
  const [lat, lng] = [at.lat.toFixed(5), at.lng.toFixed(5)]
  return (
    <>
      <p className="chargers-coordinates figures">
        {minutes}
        <CopyButton text={minutes} name={t('detail.copyMinutes')} />
      </p>
      <p className="chargers-coordinates figures">
        {decimal}
        <CopyButton text={decimal} name={t('detail.copyDecimal')} />
      </p>
      <p className="secondary">{sourceText(charger.location?.source ?? null, t)}</p>
      {distanceNm === null ? null : (
        <p className="secondary figures">
          {t('detail.distance', {
            nm: words.nm(distanceNm),
            km: words.km(distanceNm),
            from: from === null ? t('fromMiddle') : t('fromPoint', { name: from.name }),
          })}
        </p>
      )}
      <div className="chargers-facts-actions">
        <CopyButton text={`geo:${lat},${lng}`} label={t('detail.copyGeo')} />
        <CopyButton
          text={`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=15/${lat}/${lng}`}
          label={t('detail.copyOsm')}
        />
        <Button onClick={() => layRing(at)}>{t('detail.ringHere')}</Button>
      </div>
    </>
  )
}

function sourceText(source: string | null, t: ReturnType<typeof useTranslation<'chargers'>>['t']): string {
  if (source === 'charge_point') return t('detail.atCharger')
  if (source === 'arp') return t('detail.atReference')
  return source === null ? t('detail.sourceMissing') : t('detail.sourceUnknown', { source })
}
