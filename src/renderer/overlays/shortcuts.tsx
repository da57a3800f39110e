import { useTranslation } from 'react-i18next'
import { useKeysText } from '../parts/use-keys-text.ts'
import { showOverlay } from '../store/view-store.ts'
import { Dialog } from '../parts/dialog.tsx'
import './shortcuts.css'

/** Every shortcut, by where it works. */
const GROUPS = {
  everywhere: {
    palette: ['mod+k'],
    jobs: ['mod+1'],
    folders: ['mod+2'],
    credits: ['mod+3'],
    chargers: ['mod+4'],
    settings: ['mod+,'],
    search: ['mod+f'],
    undo: ['mod+z'],
    print: ['mod+p'],
    back: ['esc'],
    shortcuts: ['?', 'f1'],
  },
  inJobs: { step: ['j', 'k'], review: ['r'], preview: ['space'], open: ['enter'], all: ['mod+a'], remove: ['delete'] },
} as const

export default function Shortcuts() {
  const { t } = useTranslation('frame')
  return (
    <Dialog title={t('shortcuts.title')} onClose={() => showOverlay(null)}>
      <div className="shortcuts">
        <Group title={t('shortcuts.everywhere')} rows={rowsOf(GROUPS.everywhere, (name) => t(`shortcuts.${name}`))} />
        <Group title={t('shortcuts.inJobs')} rows={rowsOf(GROUPS.inJobs, (name) => t(`shortcuts.${name}`))} />
      </div>
    </Dialog>
  )
}

interface Row {
  what: string
  keys: readonly string[]
}

function rowsOf<Name extends string>(group: Readonly<Record<Name, readonly string[]>>, word: (name: Name) => string) {
  return (Object.keys(group) as Name[]).map((name): Row => ({ what: word(name), keys: group[name] }))
}

function Group({ title, rows }: { title: string; rows: readonly Row[] }) {
  const keysText = useKeysText()
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(({ what, keys }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
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
