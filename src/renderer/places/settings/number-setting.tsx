import { inBackground } from '../../bridge/in-background.ts'
import { useEdited } from '../../store/use-edited.ts'
import { TextField } from '../../parts/field.tsx'

interface NumberSettingProps {
  label: string
  hint?: string
  /** Shown if the number is out of range. */
  range: string
  value: number | null
  min: number
  max: number
  /** Explains that empty means none; without it a number is required. */
  emptyText?: string
  /** Resolves to null if it was not stored. */
  onSet: (value: number | null) => Promise<unknown>
}

/** A whole number, stored on blur or Enter if it is in range. */
export function NumberSetting({ label, hint, range, value, min, max, emptyText, onSet }: NumberSettingProps) {
  const edited = useEdited(String(value ?? ''), (one, other) => Object.is(numberIn(one), numberIn(other)))
  const text = edited.draft
  const given = numberIn(text)
  const isRight = given === null ? emptyText !== undefined : given >= min && given <= max
  const commit = () => {
    if (isRight && edited.isChanged)
      inBackground('number-setting.store', () => edited.store(text, async () => (await onSet(given)) !== null))
  }
  return (
    <TextField
      label={label}
      {...(hint === undefined ? {} : { hint })}
      error={isRight ? null : range}
      inputMode="numeric"
      className="input figures settings-number"
      placeholder={emptyText ?? ''}
      value={text}
      onChange={(event) => edited.set(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}

/** Null for an empty text, NaN for anything that is not a whole number. */
function numberIn(text: string): number | null {
  return text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : NaN
}
