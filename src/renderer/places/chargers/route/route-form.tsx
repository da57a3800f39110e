import { ArrowDownUp, Plus, X } from 'lucide-react'
import { t } from 'i18next'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import type { RoutePreference } from '../../../../shared/chargers/route/find-route.ts'
import {
  fieldTime,
  FULL_PERCENT,
  lacksSpeed,
  MAX_GROUND_MINUTES,
  MAX_VIA,
  readPlanTime,
  type RoutePlan,
  type NamedPlace,
} from '../../../../shared/chargers/route/route-plan.ts'
import { readWind, windText } from '../../../../shared/chargers/route/wind.ts'
import { IconButton } from '../../../parts/button.tsx'
import { CheckField, SelectField } from '../../../parts/field.tsx'
import { useChargers } from '../store/chargers-store.ts'
import { AircraftChoice } from '../aircraft/aircraft-choice.tsx'
import { NumberField, TypedField } from '../aircraft/typed-field.tsx'
import { PlaceField } from './place-field.tsx'
import { addVia, changeRoute, setPlace } from './route-store.ts'

export function RouteForm({ plan }: { plan: RoutePlan }) {
  const { from, via, to } = plan
  return (
    <div className="stack snug">
      <PlaceField label={t('chargers:route.from')} place={from} onPlace={(place) => setPlace('from', place)}>
        <IconButton
          label={t('chargers:route.swap')}
          onClick={() => changeRoute({ from: to, via: via.toReversed(), to: from })}
        >
          <ArrowDownUp size={14} aria-hidden />
        </IconButton>
      </PlaceField>
      {via.map((place, at) => (
        <PlaceField
          key={`${at} ${place.name}`}
          label={t('chargers:route.via', { number: at + 1 })}
          place={place}
          onPlace={(other) => setPlace(at, other)}
        >
          <IconButton label={t('chargers:route.removeVia', { name: place.name })} onClick={() => setPlace(at, null)}>
            <X size={14} aria-hidden />
          </IconButton>
        </PlaceField>
      ))}
      <PlaceField label={t('chargers:route.to')} place={to} onPlace={(place) => setPlace('to', place)}>
        {via.length < MAX_VIA ? (
          <IconButton label={t('chargers:route.addVia')} onClick={() => addVia(middleOfMap())}>
            <Plus size={14} aria-hidden />
          </IconButton>
        ) : null}
      </PlaceField>
      <AircraftChoice
        aircraft={plan.aircraft}
        onAircraft={(aircraft) => aircraft !== null && changeRoute({ aircraft })}
      />
      <RouteOptions plan={plan} />
    </div>
  )
}

function middleOfMap(): NamedPlace {
  const { centre } = useChargers.getState()
  return { name: degreesMinutes(centre) ?? '', place: centre }
}

/** As `2026-05-01 09:00`; null for an empty text. */
function readDeparture(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)$/.exec(text.trim()) ?? []
  return (day === undefined ? null : readPlanTime(`${day}T${time}Z`)) ?? undefined
}

function RouteOptions({ plan }: { plan: RoutePlan }) {
  const { aircraft, prefer, takeFitNotKnown, departMs, groundMinutes, startPercent, wind } = plan
  const hasTimes = aircraft.speedKt !== null && aircraft.usableKwh !== null
  const preferences: RoutePreference[] = hasTimes ? ['stops', 'distance', 'time'] : ['stops', 'distance']
  return (
    <details className="chargers-route-more">
      <summary>{t('chargers:route.more')}</summary>
      <SelectField
        label={t('chargers:route.prefer')}
        value={prefer === 'time' && !hasTimes ? 'stops' : prefer}
        choices={preferences.map((value) => ({ value, label: t(`chargers:route.kind.${value}`) }))}
        onChange={(value) => changeRoute({ prefer: value })}
      />
      <TypedField
        label={t('chargers:route.depart')}
        hint={t('chargers:route.departHint')}
        className="input figures"
        placeholder="2026-05-01 09:00"
        autoComplete="off"
        text={departMs === null ? '' : fieldTime(departMs).replace('T', ' ')}
        read={readDeparture}
        unreadable={t('chargers:timeRange')}
        isLate
        onValue={(ms) => changeRoute({ departMs: ms })}
      />
      <NumberField
        label={t('chargers:route.ground')}
        value={groundMinutes}
        least={0}
        most={MAX_GROUND_MINUTES}
        isNeeded
        onValue={(value) => changeRoute({ groundMinutes: Math.round(value ?? 0) })}
      />
      <NumberField
        label={t('chargers:route.startCharge')}
        value={startPercent}
        least={0}
        most={FULL_PERCENT}
        isNeeded
        onValue={(value) => changeRoute({ startPercent: value ?? FULL_PERCENT })}
      />
      <TypedField
        label={t('chargers:route.wind')}
        hint={t('chargers:route.windHint')}
        text={wind === null ? '' : windText(wind)}
        read={(text) => (text.trim() === '' ? null : (readWind(text) ?? undefined))}
        unreadable={t('chargers:route.windWrong')}
        wrong={lacksSpeed(plan) ? t('chargers:route.windNeedsSpeed') : null}
        onValue={(given) => changeRoute({ wind: given })}
      />
      <CheckField
        label={t('chargers:route.takeFitNotKnown')}
        checked={takeFitNotKnown}
        onChange={(checked) => changeRoute({ takeFitNotKnown: checked })}
      />
    </details>
  )
}
