import { useTranslation } from 'react-i18next'
import { EXAMPLE_AIRCRAFT, usableNm, type Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import { SelectField } from '../../../parts/field.tsx'
import { useWords } from '../use-words.ts'
import { AircraftFields } from './aircraft-fields.tsx'

const OTHER = 'other'

/** Which aircraft flies the route, and its figures. */
export function AircraftChoice({
  aircraft,
  onAircraft,
}: {
  aircraft: Aircraft
  onAircraft: (aircraft: Aircraft) => void
}) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const known = EXAMPLE_AIRCRAFT.map(({ code, ...figures }) => ({
    value: code as string,
    label: t(`aircraft.example.${code}`),
    figures,
  }))
  const chosen = known.find(({ figures }) => isSame(figures, aircraft))?.value ?? OTHER
  const usable = usableNm(aircraft)
  return (
    <section className="chargers-route-aircraft" aria-label={t('aircraft.title')}>
      <SelectField
        label={t('aircraft.title')}
        value={chosen}
        choices={[...known, ...(chosen === OTHER ? [{ value: OTHER, label: t('aircraft.other') }] : [])]}
        onChange={(value) => {
          const figures = known.find((one) => one.value === value)?.figures
          if (figures !== undefined) onAircraft(figures)
        }}
      />
      <p className={usable === null ? 'chargers-disagree' : 'secondary figures'}>
        {usable === null ? t('aircraft.noRange') : t('aircraft.usable', { nm: words.nm(usable) })}
      </p>
      <details className="chargers-route-more">
        <summary>{t('aircraft.figures')}</summary>
        <AircraftFields aircraft={aircraft} onChange={(change) => onAircraft({ ...aircraft, ...change })} />
      </details>
    </section>
  )
}

function isSame(one: Aircraft, other: Aircraft): boolean {
  const facts = ({ connectors, types, rangeNm, reserveNm, speedKt, usableKwh, maxKw }: Aircraft) =>
    JSON.stringify([connectors, types, rangeNm, reserveNm, speedKt, usableKwh, maxKw])
  return facts(one) === facts(other)
}
