import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { t } from 'i18next'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Form, TextField } from '../../../parts/field.tsx'

export function NameForm(given: {
  name: string
  maxLength: number
  label: string
  onSave: (name: string) => Promise<unknown>
}) {
  const { name, maxLength, label, onSave } = given
  const [typed, setTyped] = useState(name)
  const [isTried, setTried] = useState(false)
  const isNameless = typed.trim() === ''
  return (
    <Form
      className="chargers-with-button"
      onSubmit={() => {
        setTried(true)
        if (!isNameless) inBackground(() => onSave(typed.trim()))
      }}
    >
      <TextField
        label={t('chargers:aircraft.name')}
        error={isTried && isNameless ? t('chargers:aircraft.nameNeeded') : null}
        maxLength={maxLength}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit">{label}</Button>
    </Form>
  )
}

export function RemoveButton({ name, onRemove }: { name: string; onRemove: () => unknown }) {
  return (
    <IconButton label={t('chargers:aircraft.remove', { name: straightText(name) })} onClick={onRemove}>
      <Trash2 size={14} aria-hidden />
    </IconButton>
  )
}
