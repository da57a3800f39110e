import { FileJson } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button } from '../../../parts/button.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { chooseAircraftFile, saveAircraft } from './aircraft-file.ts'
import { useAircraft, type NamedAircraft } from './use-aircraft.ts'

/** Saves the chosen aircraft, an example too, or all of the person's own as a file; takes some from one. */
export function AircraftFiles({ known }: { known: NamedAircraft | null }) {
  const { t } = useTranslation('chargers')
  const own = useAircraft().all.filter(({ isExample }) => !isExample)
  const save = (aircraft: readonly NamedAircraft[]) => inBackground('aircraft-files.save', () => saveAircraft(aircraft))
  return (
    <div>
      <Menu
        align="start"
        items={[
          ...(known === null
            ? []
            : [{ label: t('aircraft.saveOne', { name: straightText(known.name) }), onSelect: () => save([known]) }]),
          ...(own.length < 2 ? [] : [{ label: t('aircraft.saveAll'), onSelect: () => save(own) }]),
          { label: t('aircraft.fromFile'), onSelect: chooseAircraftFile },
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
