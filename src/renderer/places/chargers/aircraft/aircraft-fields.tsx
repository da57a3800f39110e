import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  MAX_KW,
  MAX_KWH,
  MAX_RANGE_NM,
  MAX_SPEED_KT,
  usableNm,
  type Aircraft,
} from '../../../../shared/chargers/route/aircraft.ts'
import { RESERVE_UNITS, reserveAs, reserveInNm } from '../../../../shared/chargers/route/aircraft.ts'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { NumberField } from './number-field.tsx'

const FLIGHT = [
  { name: 'rangeNm', label: 'range', least: 1, most: MAX_RANGE_NM, isNeeded: true },
  { name: 'speedKt', label: 'speed', least: 10, most: MAX_SPEED_KT, isNeeded: false },
] as const
const ELECTRIC = [
  { name: 'usableKwh', label: 'energy', least: 0.1, most: MAX_KWH, isNeeded: false },
  { name: 'maxKw', label: 'maxKw', least: 0.1, most: MAX_KW, isNeeded: false },
] as const

interface FieldsProps {
  aircraft: Aircraft
  onChange: (change: Partial<Aircraft>) => void
}

/** The figures of an aircraft that decide where it can charge and how far it flies. */
export function AircraftFields({ aircraft, onChange }: FieldsProps) {
  const { t } = useTranslation('chargers')
  const figure = ({ name, label, ...bounds }: (typeof FLIGHT | typeof ELECTRIC)[number]) => (
    <NumberField
      key={name}
      label={t(`aircraft.${label}`)}
      value={aircraft[name]}
      {...bounds}
      onValue={(value) => onChange({ [name]: value })}
    />
  )
  return (
    <div className="chargers-aircraft-fields">
      {FLIGHT.map(figure)}
      <ReserveField aircraft={aircraft} onChange={onChange} />
      {ELECTRIC.map(figure)}
      {(['connectors', 'types'] as const).map((name) => (
        <NamesField
          key={name}
          label={t(`aircraft.${name}`)}
          names={aircraft[name]}
          onNames={(names) => onChange({ [name]: names })}
        />
      ))}
    </div>
  )
}

/** In miles, minutes or percent: makers and rules give it in each. */
function ReserveField({ aircraft, onChange }: FieldsProps) {
  const { t } = useTranslation('chargers')
  const { reserve } = aircraft
  return (
    <>
      <NumberField
        key={reserve.unit}
        label={t('aircraft.reserve')}
        value={reserve.value}
        least={0}
        most={reserve.unit === 'percent' ? 100 : MAX_RANGE_NM}
        isNeeded
        wrong={usableNm(aircraft) === null ? t(noRangeText(aircraft)) : null}
        onValue={(value) => onChange({ reserve: { ...reserve, value: value ?? 0 } })}
      />
      <SelectField
        label={t('aircraft.reserveIn')}
        value={reserve.unit}
        choices={RESERVE_UNITS.map((value) => ({ value, label: t(`aircraft.reserveUnit.${value}`) }))}
        onChange={(unit) => onChange({ reserve: reserveAs(unit, reserve, aircraft) ?? { value: 0, unit } })}
      />
    </>
  )
}

/** Why there is no range to plan with. */
export function noRangeText(aircraft: Aircraft) {
  return reserveInNm(aircraft.reserve, aircraft) === null ? 'aircraft.reserveNeedsSpeed' : 'aircraft.noRange'
}

/** The engine's limits (`KeptAircraft` in the settings). */
const MOST_NAMES = 10
const LONGEST_NAME = 80

/** Comma-separated names; an empty field sets no condition. */
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
  const isWrong = names.length > MOST_NAMES || names.some((name) => name.length > LONGEST_NAME)
  return (
    <TextField
      label={label}
      error={isWrong ? t('aircraft.namesWrong', { most: MOST_NAMES, letters: LONGEST_NAME }) : null}
      value={typed ?? names.join(', ')}
      placeholder={t('aircraft.any')}
      onChange={({ target: { value } }) => {
        setTyped(value)
        const given = value.split(',').map((name) => name.trim())
        onNames(given.filter((name) => name !== ''))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
