import { t } from 'i18next'
import { PLACES, SHORTCUTS, type PlaceName } from '../../shared/presentation/shortcuts.ts'
import { keysText } from '../parts/shortcut-keys.ts'
import { showOverlay } from '../store/view-store.ts'
import { Dialog } from '../parts/dialog.tsx'
import './shortcuts.css'

export default function Shortcuts() {
  return (
    <Dialog title={t('frame:shortcuts.title')} onClose={() => showOverlay(null)}>
      <div className="shortcuts columns">
        <Group
          title={t('frame:shortcuts.everywhere')}
          rows={rowsOf(SHORTCUTS.everywhere, (name) =>
            isPlace(name) ? t(`common:places.${name}`) : t(`frame:shortcuts.${name}`),
          )}
        />
        <div>
          <Group
            title={t('frame:shortcuts.inJobs')}
            rows={rowsOf(SHORTCUTS.inJobs, (name) => t(`frame:shortcuts.${name}`))}
          />
          <Group
            title={t('frame:shortcuts.onStage')}
            rows={rowsOf(SHORTCUTS.onStage, (name) => t(`frame:shortcuts.${name}`))}
          />
        </div>
      </div>
    </Dialog>
  )
}

const isPlace = (name: string): name is PlaceName => (PLACES as readonly string[]).includes(name)

interface Row {
  what: string
  keys: readonly string[]
}

function rowsOf<Name extends string>(group: Readonly<Record<Name, readonly string[]>>, word: (name: Name) => string) {
  return (Object.keys(group) as Name[]).map((name): Row => ({ what: word(name), keys: group[name] }))
}

function Group({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(({ what, keys }) => (
          <div key={what} className="row single apart">
            <dt>{what}</dt>
            <dd className="row single">
              {keys.map((key) => (
                <kbd key={key}>{keysText(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
