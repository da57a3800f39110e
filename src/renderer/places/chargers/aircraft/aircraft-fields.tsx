import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  MAX_KW,
  MAX_KWH,
  MAX_RANGE_NM,
  MAX_SPEED_KT,
  type Aircraft,
} from '../../../../shared/chargers/route/aircraft.ts'
import { TextField } from '../../../parts/field.tsx'
import { NumberField } from './number-field.tsx'

/** The figures of an aircraft that decide where it can charge and how far it flies. */
export function AircraftFields({
  aircraft,
  onChange,
}: {
  aircraft: Aircraft
  onChange: (change: Partial<Aircraft>) => void
}) {
  const { t } = useTranslation('chargers')
  const { rangeNm, reserveNm, speedKt, usableKwh, maxKw, connectors, types } = aircraft
  return (
    <div className="chargers-aircraft-fields">
      <NumberField
        label={t('aircraft.range')}
        value={rangeNm}
        least={1}
        most={MAX_RANGE_NM}
        isNeeded
        onValue={(value) => value !== null && onChange({ rangeNm: value })}
      />
      <NumberField
        label={t('aircraft.reserve')}
        value={reserveNm}
        least={0}
        most={MAX_RANGE_NM}
        isNeeded
        onValue={(value) => value !== null && onChange({ reserveNm: value })}
      />
      <NumberField
        label={t('aircraft.speed')}
        value={speedKt}
        least={10}
        most={MAX_SPEED_KT}
        onValue={(value) => onChange({ speedKt: value })}
      />
      <NumberField
        label={t('aircraft.energy')}
        value={usableKwh}
        least={0.1}
        most={MAX_KWH}
        onValue={(value) => onChange({ usableKwh: value })}
      />
      <NumberField
        label={t('aircraft.maxKw')}
        value={maxKw}
        least={0.1}
        most={MAX_KW}
        onValue={(value) => onChange({ maxKw: value })}
      />
      <NamesField
        label={t('aircraft.connectors')}
        names={connectors}
        onNames={(names) => onChange({ connectors: names })}
      />
      <NamesField label={t('aircraft.types')} names={types} onNames={(names) => onChange({ types: names })} />
    </div>
  )
}

/** Names with commas between them; none is no condition. */
function NamesField({
  label,
  names,
  onNames,
}: {
  label: string
  names: readonly string[]
  onNames: (names: string[]) => void
}) {
  const { t } = useTranslation('chargers')
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      label={label}
      value={typed ?? names.join(', ')}
      placeholder={t('aircraft.any')}
      maxLength={300}
      onChange={(event) => {
        const text = event.target.value
        setTyped(text)
        onNames(
          text
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== ''),
        )
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
