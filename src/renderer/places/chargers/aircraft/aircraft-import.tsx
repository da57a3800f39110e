import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { aircraftChanges, type Aircraft, type AircraftChange } from '../../../../shared/chargers/route/aircraft.ts'
import type { KeptAircraft } from '../../../../shared/settings/settings.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { changeChargers } from '../../../store/charger-settings.ts'
import { sentenceIn } from '../../../store/error-text.ts'
import { useShell } from '../../../store/shell-store.ts'
import { toastWithUndo } from '../../../store/undo.ts'
import { FIGURE_LABELS } from './aircraft-fields.tsx'
import { useAircraftFile } from './aircraft-file.ts'
import '../file-import.css'

const close = () => useAircraftFile.setState({ read: null })
const DASH = '–'
/** As for the fields, but for what only tells how a field is filled in. */
const LABELS = { ...FIGURE_LABELS, name: 'aircraft.name', connectors: 'detail.connectors' } as const

/** What the aircraft of a chosen file change, before they do; or why none is taken. */
export default function AircraftImport() {
  const { t } = useTranslation(['chargers', 'common'])
  const read = useAircraftFile((file) => file.read)
  // As they were when the file was read: what is shown is what changes.
  const [before] = useState(() => useShell.getState().state?.settings.chargers.aircraft ?? [])
  if (read === null) return null
  const { aircraft, problems } = read
  const changes = problems.length > 0 ? [] : aircraftChanges(before, aircraft)
  const words = { count: changes.length, figure: String(changes.length) }
  const take = async () => {
    close()
    if (!(await changeAircraft(aircraft))) return
    toastWithUndo(t('aircraft.import.done', words), () => changeAircraft(before))
  }
  return (
    <Dialog
      title={t('aircraft.import.title')}
      onClose={close}
      actions={
        <>
          <Button onClick={close} data-autofocus={changes.length === 0}>
            {t(changes.length === 0 ? 'common:close' : 'common:cancel')}
          </Button>
          {changes.length === 0 ? null : (
            <Button kind="primary" data-autofocus onClick={() => inBackground('aircraft-import.take', take)}>
              {t('aircraft.import.run', words)}
            </Button>
          )}
        </>
      }
    >
      {problems.length > 0 ? (
        <Problems problems={problems} />
      ) : changes.length === 0 ? (
        <p>{t('aircraft.import.same')}</p>
      ) : (
        <Changes changes={changes} />
      )}
    </Dialog>
  )
}

const MOST_SHOWN = 50

function Problems({ problems }: { problems: readonly { path: string; why: Parameters<typeof sentenceIn>[0] }[] }) {
  const { t } = useTranslation('chargers')
  return (
    <>
      <p role="alert">{t('aircraft.import.refused')}</p>
      <ul className="chargers-import">
        {problems.slice(0, MOST_SHOWN).map(({ path, why }) => (
          <li key={`${path} ${sentenceIn(why)}`}>
            <code dir="ltr">{straightText(path)}</code>: {sentenceIn(why)}
          </li>
        ))}
        {problems.length > MOST_SHOWN ? <li>…</li> : null}
      </ul>
    </>
  )
}

function Changes({ changes }: { changes: readonly AircraftChange<KeptAircraft>[] }) {
  const { t } = useTranslation('chargers')
  const valueText = useFigureText()
  return (
    <>
      {changes.some(({ before }) => before !== null) ? <p>{t('aircraft.import.hint')}</p> : null}
      {changes.map(({ name, before, figures }) => (
        <section key={name} className="chargers-import">
          <h3 dir="auto">
            {before === null ? t('aircraft.import.new', { name: straightText(name) }) : straightText(name)}
          </h3>
          <dl>
            {figures.map((figure) => (
              <div key={figure.name}>
                <dt>{t(LABELS[figure.name])}</dt>
                <dd className="figures">
                  {before === null ? null : (
                    <>
                      <del>{valueText(figure.from)}</del> →{' '}
                    </>
                  )}
                  {valueText(figure.to)}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}

function useFigureText(): (value: unknown) => string {
  const { t, i18n } = useTranslation('chargers')
  return (value) => {
    if (typeof value === 'number') return value.toLocaleString(i18n.language)
    if (typeof value === 'string') return straightText(value)
    if (Array.isArray(value)) return listText((value as string[]).map(straightText), i18n.language) || DASH
    if (value === null) return DASH
    const { value: figure, unit } = value as Aircraft['reserve']
    return `${figure.toLocaleString(i18n.language)} ${t(`aircraft.reserveUnit.${unit}`)}`
  }
}

const changeAircraft = (aircraft: readonly KeptAircraft[]) => changeChargers({ aircraft: [...aircraft] })
