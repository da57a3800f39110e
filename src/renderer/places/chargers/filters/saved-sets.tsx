import { Trash2 } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedChargerFilter } from '../../../../shared/chargers/charger-status.ts'
import { ask, askOrToast } from '../../../store/bridge.ts'
import { toastWithUndo } from '../../../store/undo.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { errorText } from '../../../store/error-text.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { changeFilter } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { isFiltering, readFilter } from '../store/remembered.ts'

/** Saves the current filters under a name, and applies or deletes saved ones. */
export function SavedSets() {
  const { t } = useTranslation('chargers')
  const [sets, setSets] = useState<readonly SavedChargerFilter[] | null>(null)
  const isOn = useChargers(({ filter }) => isFiltering(filter))
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
      <ul className="chargers-sets">
        {sets?.map((set) => (
          <li key={set.id}>
            <button
              type="button"
              className="button quiet ellipsis"
              dir="auto"
              title={t('sets.apply', { name: set.name })}
              onClick={() => changeFilter(readFilter(set.filter))}
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
      {isOn ? <SaveSet onSaved={read} /> : <p className="secondary">{t('sets.nothing')}</p>}
    </>
  )
}

function SaveSet({ onSaved }: { onSaved: () => Promise<void> }) {
  const { t } = useTranslation('chargers')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const save = async () => {
    const { filter } = useChargers.getState()
    const result = await ask('chargers.filters.save', { id: null, name, filter: { ...filter } })
    if (!result.ok) return setProblem(errorText(result.error))
    setName('')
    await onSaved()
  }
  return (
    <form
      noValidate
      className="chargers-set-name"
      onSubmit={(event) => {
        event.preventDefault()
        inBackground('saved-sets.save', save)
      }}
    >
      <TextField
        label={t('sets.name')}
        error={problem}
        maxLength={100}
        value={name}
        onChange={(event) => {
          setName(event.target.value)
          setProblem(null)
        }}
      />
      <Button type="submit" disabled={name.trim() === ''}>
        {t('sets.save')}
      </Button>
    </form>
  )
}
