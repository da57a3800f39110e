import { Bookmark, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedChargerFilter } from '../../../../shared/chargers/charger-status.ts'
import { ask, askOrToast } from '../../../store/bridge.ts'
import { toastWithUndo } from '../../../store/undo.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { errorText } from '../../../store/error-text.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { FieldError } from '../../../parts/field.tsx'
import { Popover } from '../../../parts/popover.tsx'
import { changeFilter } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { isFiltering, readFilter } from '../store/remembered.ts'

/** Saves the current filters under a name, and applies or deletes saved ones. */
export function SavedSets() {
  const { t } = useTranslation('chargers')
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label={t('sets.button')}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="chargers-chip" aria-label={t('sets.button')} title={t('sets.button')}>
          <Bookmark size={13} aria-hidden />
        </button>
      }
    >
      <Sets onDone={() => setOpen(false)} />
    </Popover>
  )
}

function Sets({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['chargers', 'common'])
  const [sets, setSets] = useState<readonly SavedChargerFilter[] | null>(null)
  const read = useCallback(async () => {
    const answer = await askOrToast('chargers.filters.list', {})
    if (answer !== null) setSets(answer.filters)
  }, [])
  useEffect(() => inBackground('saved-sets.read', read), [read])
  const remove = async ({ id, name, filter }: SavedChargerFilter) => {
    if ((await askOrToast('chargers.filters.remove', { id })) === null) return
    toastWithUndo(t('sets.removed', { name }), () =>
      askOrToast('chargers.filters.save', { id: null, name, filter }).then(read),
    )
    await read()
  }
  return (
    <>
      {sets?.length === 0 ? <p className="secondary">{t('sets.none')}</p> : null}
      <ul className="chargers-sets">
        {sets?.map((set) => (
          <li key={set.id}>
            <button
              type="button"
              className="button quiet ellipsis"
              dir="auto"
              title={t('sets.apply', { name: set.name })}
              onClick={() => {
                changeFilter(readFilter(set.filter))
                onDone()
              }}
            >
              {set.name}
            </button>
            <IconButton
              label={t('sets.remove', { name: set.name })}
              onClick={() => inBackground('saved-sets.remove', () => remove(set))}
            >
              <Trash2 size={14} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <SaveSet onSaved={() => inBackground('saved-sets.read', read)} />
    </>
  )
}

function SaveSet({ onSaved }: { onSaved: () => void }) {
  const { t } = useTranslation('chargers')
  const filter = useChargers((view) => view.filter)
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  if (!isFiltering(filter)) return <p className="secondary">{t('sets.nothing')}</p>
  const save = async () => {
    const result = await ask('chargers.filters.save', { id: null, name, filter: { ...filter } })
    if (!result.ok) return setProblem(errorText(result.error))
    setName('')
    onSaved()
  }
  return (
    <form
      noValidate
      className="field"
      onSubmit={(event) => {
        event.preventDefault()
        inBackground('saved-sets.save', save)
      }}
    >
      <label htmlFor="chargers-set-name">{t('sets.name')}</label>
      <div className="chargers-set-name">
        <input
          id="chargers-set-name"
          className="input"
          maxLength={100}
          value={name}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : 'chargers-set-problem'}
          onChange={(event) => {
            setName(event.target.value)
            setProblem(null)
          }}
        />
        <Button type="submit" disabled={name.trim() === ''}>
          {t('sets.save')}
        </Button>
      </div>
      <FieldError id="chargers-set-problem" text={problem} />
    </form>
  )
}
