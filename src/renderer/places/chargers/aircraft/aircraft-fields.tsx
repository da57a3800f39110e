import { t } from 'i18next'
import {
  MAX_KW,
  MAX_KWH,
  MAX_RANGE_NM,
  MAX_SPEED_KT,
  RESERVE_UNITS,
  reserveAs,
  reserveInNm,
  usableNm,
  type Aircraft,
} from '../../../../shared/chargers/route/aircraft.ts'
import { MAX_NAME, MAX_NAMES } from '../../../../shared/chargers/route/route-plan.ts'
import { SelectField } from '../../../parts/field.tsx'
import { NumberField, TypedField } from './typed-field.tsx'

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

export function AircraftFields({ aircraft, onChange }: FieldsProps) {
  const figure = ({ name, label, ...bounds }: (typeof FLIGHT | typeof ELECTRIC)[number]) => (
    <NumberField
      key={name}
      label={t(`chargers:aircraft.${label}`)}
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
        <TypedField
          key={name}
          label={t(`chargers:aircraft.${name}`)}
          placeholder={t('chargers:aircraft.any')}
          text={aircraft[name].join(', ')}
          read={namesIn}
          wrong={
            areTooMany(aircraft[name])
              ? t('chargers:aircraft.namesWrong', { most: MAX_NAMES, letters: MAX_NAME })
              : null
          }
          onValue={(names) => onChange({ [name]: names })}
        />
      ))}
    </div>
  )
}

/** In miles, minutes or percent: makers and rules give it in each. */
function ReserveField({ aircraft, onChange }: FieldsProps) {
  const { reserve } = aircraft
  return (
    <>
      <NumberField
        key={reserve.unit}
        label={t('chargers:aircraft.reserve')}
        value={reserve.value}
        least={0}
        most={reserve.unit === 'percent' ? 100 : MAX_RANGE_NM}
        isNeeded
        wrong={usableNm(aircraft) === null ? t(noRangeText(aircraft)) : null}
        onValue={(value) => onChange({ reserve: { ...reserve, value: value ?? 0 } })}
      />
      <SelectField
        label={t('chargers:aircraft.reserveIn')}
        value={reserve.unit}
        choices={RESERVE_UNITS.map((value) => ({ value, label: t(`chargers:aircraft.reserveUnit.${value}`) }))}
        onChange={(unit) => onChange({ reserve: reserveAs(unit, reserve, aircraft) ?? { value: 0, unit } })}
      />
    </>
  )
}

export function noRangeText(aircraft: Aircraft) {
  return reserveInNm(aircraft.reserve, aircraft) === null
    ? 'chargers:aircraft.reserveNeedsSpeed'
    : 'chargers:aircraft.noRange'
}

/** An empty text sets no condition. */
const namesIn = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const areTooMany = (names: readonly string[]) =>
  names.length > MAX_NAMES || names.some((name) => name.length > MAX_NAME)
