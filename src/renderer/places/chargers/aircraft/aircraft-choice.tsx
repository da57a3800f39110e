import { FileJson } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usableNm, type Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import type { KeptAircraft } from '../../../../shared/settings/settings.ts'
import { say } from '../../../../shared/sentences/sentence.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { Button } from '../../../parts/button.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { ask } from '../../../store/bridge.ts'
import { changeChargers } from '../../../store/charger-settings.ts'
import { chooseFile } from '../../../store/choose-file.ts'
import { errorText, sentenceIn } from '../../../store/error-text.ts'
import { saveText } from '../../../store/save-text.ts'
import { toastWithUndo } from '../../../store/undo.ts'
import { fileStem } from '../../../text/file-stem.ts'
import { useWords } from '../use-words.ts'
import { AircraftFields, noRangeText } from './aircraft-fields.tsx'
import { NameForm, RemoveButton } from './saved-by-name.tsx'
import {
  chooseAircraft,
  figuresOf,
  isAircraftListFull,
  isSameAircraft,
  keepAircraft,
  keptAircraft,
  removeAircraft,
  useAircraft,
  type NamedAircraft,
} from './use-aircraft.ts'
import './aircraft.css'

/** The option for figures that match neither a saved aircraft nor an example. */
const OTHER = 'other figures'
const NONE = ''

/** Chooses an aircraft, edits its figures and saves them under a name. `aircraft` is null while none is chosen, which is allowed. */
export function AircraftChoice({
  aircraft,
  mayBeNone = false,
  onAircraft,
}: {
  aircraft: Aircraft | null
  mayBeNone?: boolean
  onAircraft: (aircraft: Aircraft | null) => void
}) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const { all, chosen } = useAircraft()
  const same = aircraft === null ? [] : all.filter((one) => isSameAircraft(one, aircraft))
  const known = same.find(({ id }) => id === chosen?.id) ?? same[0] ?? null
  const kept = useKeptAircraft(aircraft, known)
  const usable = aircraft === null ? null : usableNm(aircraft)
  return (
    <section className="chargers-aircraft" aria-label={t('aircraft.title')}>
      <NamedChoice
        value={aircraft === null ? NONE : (known?.id ?? OTHER)}
        known={known}
        mayBeNone={mayBeNone}
        onAircraft={onAircraft}
      />
      <AircraftFiles known={known} />
      {aircraft === null ? null : (
        <>
          <p className={usable === null ? 'chargers-disagree' : 'secondary figures'}>
            {usable === null ? t(noRangeText(aircraft)) : t('aircraft.usable', { nm: words.nm(usable) })}
          </p>
          <details className="chargers-route-more">
            <summary>{t('aircraft.figures')}</summary>
            {known?.isExample === true ? <p className="secondary">{t('aircraft.exampleHint')}</p> : null}
            <AircraftFields aircraft={aircraft} onChange={(change) => onAircraft({ ...aircraft, ...change })} />
            {isAircraftListFull() ? (
              <p className="secondary">{t('aircraft.full')}</p>
            ) : (
              <NameForm
                key={kept?.id}
                name={kept?.name ?? ''}
                maxLength={80}
                label={t('aircraft.keep')}
                onSave={(name) => keepAircraft(name, aircraft)}
              />
            )}
          </details>
        </>
      )}
    </section>
  )
}

/** The saved aircraft and the examples by name; one that was saved can be removed. `value`: an id, `NONE` or `OTHER`. */
function NamedChoice({
  value,
  known,
  mayBeNone,
  onAircraft,
}: {
  value: string
  known: NamedAircraft | null
  mayBeNone: boolean
  onAircraft: (aircraft: Aircraft | null) => void
}) {
  const { t } = useTranslation('chargers')
  const { all } = useAircraft()
  const choose = (id: string) => {
    const one = all.find((other) => other.id === id) ?? null
    inBackground('aircraft-choice.choose', () => chooseAircraft(one?.id ?? null))
    onAircraft(one === null ? null : figuresOf(one))
  }
  return (
    <div className="chargers-with-button">
      <SelectField
        label={t('aircraft.title')}
        value={value}
        choices={[
          ...(mayBeNone ? [{ value: NONE, label: t('aircraft.none') }] : []),
          ...all.map(({ id, name }) => ({ value: id, label: straightText(name) })),
          ...(value === OTHER ? [{ value: OTHER, label: t('aircraft.other') }] : []),
        ]}
        onChange={(chosen) => chosen !== OTHER && choose(chosen)}
      />
      {known === null || known.isExample ? null : (
        <RemoveButton
          name={known.name}
          onRemove={() => inBackground('aircraft-choice.remove', () => removeAircraft(known.id))}
        />
      )}
    </div>
  )
}

/** The saved aircraft that the figures shown started from: `known` has the figures now. Null for an example, and for none. */
function useKeptAircraft(aircraft: Aircraft | null, known: NamedAircraft | null): NamedAircraft | null {
  const [held, setHeld] = useState<NamedAircraft | null>(null)
  const kept = aircraft === null || known?.isExample === true ? null : (known ?? held)
  if (kept?.id !== held?.id) setHeld(kept)
  return kept
}

/** Saves the chosen aircraft, an example too, or all of the person's own as a file; takes some from one, which can be undone. */
function AircraftFiles({ known }: { known: NamedAircraft | null }) {
  const { t } = useTranslation('chargers')
  const own = useAircraft().all.filter(({ isExample }) => !isExample)
  const save = (aircraft: readonly NamedAircraft[]) => inBackground('aircraft-files.save', () => saveAircraft(aircraft))
  const taken = (before: KeptAircraft[], after: KeptAircraft[]) => {
    const names = after.filter((one) => !before.some((other) => JSON.stringify(one) === JSON.stringify(other)))
    const words = { count: names.length, figure: String(names.length) }
    toastWithUndo(t('aircraft.taken', words), () => changeChargers({ aircraft: before }))
  }
  return (
    <div>
      <Menu
        align="start"
        items={[
          ...(known === null
            ? []
            : [{ label: t('aircraft.saveOne', { name: straightText(known.name) }), onSelect: () => save([known]) }]),
          ...(own.length < 2 ? [] : [{ label: t('aircraft.saveAll'), onSelect: () => save(own) }]),
          { label: t('aircraft.fromFile'), onSelect: () => chooseAircraftFile(taken) },
        ]}
      >
        <Button kind="quiet">
          <FileJson size={14} aria-hidden />
          {t('aircraft.files')}
        </Button>
      </Menu>
    </div>
  )
}

/** Lets a person choose a configuration, and takes its aircraft unless something in it is wrong. */
function chooseAircraftFile(taken: (before: KeptAircraft[], after: KeptAircraft[]) => void): void {
  chooseFile({
    accept: '.json,application/json',
    tooLarge: (most) => say('aircraft_too_large', { most }),
    unreadable: (why) => say('aircraft_unreadable', { why }),
    take: async (_, data) => {
      const answer = await ask('chargers.readAircraft', { data })
      if (!answer.ok) return errorText(answer.error)
      const { aircraft, problems } = answer.value
      const [first] = problems
      if (first !== undefined) return `${straightText(first.path)}: ${sentenceIn(first.why)}`
      const before = [...keptAircraft()]
      if (await changeChargers({ aircraft })) taken(before, aircraft)
      return null
    },
  })
}

/** Saves aircraft as a configuration that has nothing else, for `hangar config import` and other windows. */
async function saveAircraft(aircraft: readonly NamedAircraft[]): Promise<void> {
  const entries = aircraft.map((one) => ({ name: one.name, ...figuresOf(one) }))
  const [first] = aircraft
  const stem = aircraft.length === 1 && first !== undefined ? fileStem(first.name, 'aircraft') : 'aircraft'
  const text = `${JSON.stringify({ chargers: { aircraft: entries } }, null, 2)}\n`
  await saveText(`${stem}.hangar-aircraft.json`, 'application/json', text)
}
