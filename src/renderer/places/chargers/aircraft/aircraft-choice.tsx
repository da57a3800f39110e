import { t } from 'i18next'
import { EXAMPLE_ID, MAX_AIRCRAFT, namesNothing, usableNm } from '../../../../shared/chargers/route/aircraft.ts'
import type { Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { SelectField } from '../../../parts/field.tsx'
import { changeChargers } from '../../../store/charger-settings.ts'
import * as words from '../charger-words.ts'
import { AircraftFields, noRangeText } from './aircraft-fields.tsx'
import { NameForm, RemoveButton } from './saved-by-name.tsx'
import { figuresOf, isSameAircraft, keepAircraft, removeAircraft, useAircraft } from './use-aircraft.ts'
import type { NamedAircraft } from './use-aircraft.ts'
import './aircraft.css'

/** The option for figures that match neither a saved aircraft nor an example. */
const OTHER = 'other figures'
const NONE = ''

/** Chooses an aircraft, edits its figures and saves them under a name. */
export function AircraftChoice(given: {
  aircraft: Aircraft | null
  mayBeNone?: boolean
  onAircraft: (aircraft: Aircraft | null) => void
}) {
  const { aircraft, mayBeNone = false, onAircraft } = given
  const { all, chosen } = useAircraft()
  const same = aircraft === null ? [] : all.filter((one) => isSameAircraft(one, aircraft))
  const known = same.find(({ id }) => id === chosen?.id) ?? same[0] ?? null
  const kept = known ?? chosen
  const usable = aircraft === null ? null : usableNm(aircraft)
  return (
    <section className="stack snug" aria-label={t('chargers:aircraft.title')}>
      <NamedChoice
        value={aircraft === null ? NONE : (known?.id ?? OTHER)}
        known={known}
        mayBeNone={mayBeNone}
        onAircraft={onAircraft}
      />
      {aircraft === null ? null : (
        <>
          {usable === null ? <p className="callout secondary">{t(noRangeText(aircraft))}</p> : null}
          <details className="chargers-route-more">
            <summary>{t('chargers:aircraft.figures')}</summary>
            {usable === null ? null : (
              <p className="secondary figures">{t('chargers:aircraft.usable', { nm: words.nm(usable) })}</p>
            )}
            {namesNothing(aircraft) ? <p className="secondary">{t('chargers:route.anyCharger')}</p> : null}
            {known?.id === EXAMPLE_ID ? <p className="secondary">{t('chargers:aircraft.exampleHint')}</p> : null}
            <AircraftFields aircraft={aircraft} onChange={(change) => onAircraft({ ...aircraft, ...change })} />
            {all.length > MAX_AIRCRAFT ? (
              <p className="secondary">{t('chargers:aircraft.full')}</p>
            ) : (
              <NameForm
                key={kept?.id}
                name={kept === null || kept.id === EXAMPLE_ID ? '' : kept.name}
                maxLength={80}
                label={t('common:save')}
                onSave={(name) => keepAircraft(name, aircraft)}
              />
            )}
          </details>
        </>
      )}
    </section>
  )
}

/** `value`: an id, `NONE` or `OTHER`. */
function NamedChoice(given: {
  value: string
  known: NamedAircraft | null
  mayBeNone: boolean
  onAircraft: (aircraft: Aircraft | null) => void
}) {
  const { value, known, mayBeNone, onAircraft } = given
  const { all } = useAircraft()
  const choose = (id: string) => {
    const one = all.find((other) => other.id === id) ?? null
    inBackground(() => changeChargers({ aircraftId: one?.id ?? null }))
    onAircraft(one === null ? null : figuresOf(one))
  }
  return (
    <div className="chargers-with-button">
      <SelectField
        label={t('chargers:aircraft.title')}
        value={value}
        choices={[
          ...(mayBeNone ? [{ value: NONE, label: t('chargers:aircraft.none') }] : []),
          ...all.map(({ id, name }) => ({ value: id, label: straightText(name) })),
          ...(value === OTHER ? [{ value: OTHER, label: t('chargers:aircraft.other') }] : []),
        ]}
        onChange={(chosen) => chosen !== OTHER && choose(chosen)}
      />
      {known === null || known.id === EXAMPLE_ID ? null : (
        <RemoveButton name={known.name} onRemove={() => removeAircraft(known.id)} />
      )}
    </div>
  )
}
