import { FileJson } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { KeptAircraft } from '../../../../shared/settings/settings.ts'
import { say } from '../../../../shared/sentences/sentence.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button } from '../../../parts/button.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { ask } from '../../../store/bridge.ts'
import { changeChargers } from '../../../store/charger-settings.ts'
import { chooseFile } from '../../../store/choose-file.ts'
import { errorText, sentenceIn } from '../../../store/error-text.ts'
import { saveText } from '../../../store/save-text.ts'
import { toastWithUndo } from '../../../store/undo.ts'
import { fileStem } from '../../../text/file-stem.ts'
import { figuresOf, keptAircraft, useAircraft, type NamedAircraft } from './use-aircraft.ts'

/** Saves the chosen aircraft, an example too, or all of the person's own as a file; takes some from one, which can be undone. */
export function AircraftFiles({ known }: { known: NamedAircraft | null }) {
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
