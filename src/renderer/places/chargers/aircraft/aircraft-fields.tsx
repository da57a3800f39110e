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
import {
  consumptionOf,
  CONSUMPTION_PER,
  isRange,
  rangeOf,
  type Consumption,
  type ConsumptionPer,
} from '../../../../shared/chargers/route/consumption.ts'
import { RESERVE_UNITS, reserveAs, reserveInNm, type Reserve } from '../../../../shared/chargers/route/reserve.ts'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { useWords } from '../use-words.ts'
import { NumberField } from './number-field.tsx'

/** What each figure is called. */
export const FIGURE_LABELS = {
  connectors: 'aircraft.connectors',
  types: 'aircraft.types',
  rangeNm: 'aircraft.range',
  reserve: 'aircraft.reserve',
  speedKt: 'aircraft.speed',
  usableKwh: 'aircraft.energy',
  maxKw: 'aircraft.maxKw',
} as const satisfies Record<keyof Aircraft, string>

type Change = (change: Partial<Aircraft>) => void
type Basis = 'range' | ConsumptionPer

const BASES = ['range', ...CONSUMPTION_PER] as const

const SPEED = { name: 'speedKt', label: 'speed', least: 10, most: MAX_SPEED_KT } as const
const ELECTRIC = [
  { name: 'usableKwh', label: 'energy', least: 0.1, most: MAX_KWH },
  { name: 'maxKw', label: 'maxKw', least: 0.1, most: MAX_KW },
] as const

const NAMES = ['connectors', 'types'] as const

/** The figures of an aircraft that decide where it can charge and how far it flies. */
export function AircraftFields({ aircraft, onChange }: { aircraft: Aircraft; onChange: Change }) {
  const { t } = useTranslation('chargers')
  const { basis, setBasis, consumption, change, consume } = useRangeBasis(aircraft, onChange)
  const figureField = ({ name, label, least, most }: typeof SPEED | (typeof ELECTRIC)[number]) => (
    <NumberField
      key={name}
      label={t(`aircraft.${label}`)}
      value={aircraft[name]}
      least={least}
      most={most}
      onValue={(value) => change({ [name]: value })}
    />
  )
  return (
    <div className="chargers-aircraft-fields">
      <div className="chargers-aircraft-wide">
        <SelectField
          label={t('aircraft.basis')}
          value={basis}
          choices={BASES.map((value) => ({ value, label: t(`aircraft.basisOf.${value}`) }))}
          onChange={setBasis}
        />
      </div>
      {basis === 'range' ? (
        <NumberField
          label={t('aircraft.range')}
          value={aircraft.rangeNm}
          least={1}
          most={MAX_RANGE_NM}
          isNeeded
          onValue={(value) => value !== null && change({ rangeNm: value })}
        />
      ) : (
        <NumberField
          key={basis}
          label={t(`aircraft.consumption.${basis}`)}
          value={consumption?.kwh ?? null}
          least={0.001}
          most={MAX_KWH}
          isNeeded
          onValue={(kwh) => consume(kwh, basis)}
        />
      )}
      {figureField(SPEED)}
      <ReserveField aircraft={aircraft} onReserve={(reserve) => change({ reserve })} />
      {basis === 'range' ? null : <RangeGiven per={basis} aircraft={aircraft} consumption={consumption} />}
      {ELECTRIC.map(figureField)}
      {NAMES.map((name) => (
        <NamesField
          key={name}
          label={t(`aircraft.${name}`)}
          names={aircraft[name]}
          onNames={(names) => change({ [name]: names })}
        />
      ))}
    </div>
  )
}

/** Whether the range is entered or follows from a consumption, which then stays in step with each `change`. */
function useRangeBasis(aircraft: Aircraft, onChange: Change) {
  const [basis, setBasis] = useState<Basis>('range')
  const [kwh, setKwh] = useState<number | null>(null)
  const consumption = basis === 'range' ? null : consumptionShown(aircraft, basis, kwh)
  const change = (part: Partial<Aircraft>, by = consumption) => {
    const nm = by === null ? null : rangeOf({ ...aircraft, ...part }, by)
    onChange(nm !== null && isRange(nm) ? { ...part, rangeNm: nm } : part)
  }
  return {
    basis,
    setBasis: (chosen: Basis) => {
      setBasis(chosen)
      setKwh(null)
    },
    consumption,
    change,
    consume: (entered: number | null, per: ConsumptionPer) => {
      setKwh(entered)
      if (entered !== null) change({}, { kwh: entered, per })
    },
  }
}

/** The entered value while it gives the range, otherwise the one that energy and range give. */
function consumptionShown(aircraft: Aircraft, per: ConsumptionPer, entered: number | null): Consumption | null {
  if (entered !== null) {
    const nm = rangeOf(aircraft, { kwh: entered, per })
    if (nm === null || nm === aircraft.rangeNm || !isRange(nm)) return { kwh: entered, per }
  }
  const known = consumptionOf(aircraft, per)
  return known === null ? null : { kwh: Math.round(known * 1000) / 1000, per }
}

/** In miles, minutes or percent: makers and rules give it in each. */
function ReserveField({ aircraft, onReserve }: { aircraft: Aircraft; onReserve: (reserve: Reserve) => void }) {
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
        onValue={(value) => value !== null && onReserve({ ...reserve, value })}
      />
      <SelectField
        label={t('aircraft.reserveIn')}
        value={reserve.unit}
        choices={RESERVE_UNITS.map((value) => ({ value, label: t(`aircraft.reserveUnit.${value}`) }))}
        onChange={(unit) => onReserve(reserveAs(unit, reserve, aircraft) ?? { value: 0, unit })}
      />
    </>
  )
}

/** Why there is no range to plan with. */
export function noRangeText(aircraft: Aircraft) {
  return reserveInNm(aircraft.reserve, aircraft) === null ? 'aircraft.reserveNeedsSpeed' : 'aircraft.noRange'
}

/** The range that energy and consumption give, or what is missing for it. */
function RangeGiven({
  per,
  aircraft,
  consumption,
}: {
  per: ConsumptionPer
  aircraft: Aircraft
  consumption: Consumption | null
}) {
  const { t, i18n } = useTranslation('chargers')
  const words = useWords()
  const nm = consumption === null ? null : rangeOf(aircraft, consumption)
  const isWrong = nm !== null && !isRange(nm)
  const bounds = { least: '1', most: MAX_RANGE_NM.toLocaleString(i18n.language) }
  return (
    <p className={`chargers-aircraft-wide ${isWrong ? 'field-error' : 'secondary figures'}`}>
      {nm === null ? t(`aircraft.needs.${per}`) : t('aircraft.givesRange', { nm: words.nm(nm) })}
      {isWrong ? ` ${t('route.bounds', bounds)}` : null}
    </p>
  )
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
