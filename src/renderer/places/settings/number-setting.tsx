import { useTranslation } from 'react-i18next'
import { inBackground } from '../../bridge/in-background.ts'
import { useEdited } from '../../store/use-edited.ts'
import { ChangedElsewhere } from '../../parts/changed-elsewhere.tsx'
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
  /** Resolves to null if it was not stored. `seen`: what the person changed it from. */
  onSet: (value: number | null, seen: number | null) => Promise<unknown>
}

/**
 * A whole number, stored on blur or Enter if it is in range; not while another window has stored a different one that the person
 * has not decided about.
 */
export function NumberSetting({ label, hint, range, value, min, max, emptyText, onSet }: NumberSettingProps) {
  const { t } = useTranslation('common')
  const edited = useEdited(String(value ?? ''), (one, other) => Object.is(numberIn(one), numberIn(other)))
  const text = edited.draft
  const given = numberIn(text)
  const isRight = given === null ? emptyText !== undefined : given >= min && given <= max
  const commit = () => {
    if (!isRight || given === numberIn(edited.base) || edited.theirs !== null) return
    inBackground('number-setting.store', () =>
      edited.store(text, async (seen) => (await onSet(given, numberIn(seen))) !== null),
    )
  }
  return (
    <div>
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
      <ChangedElsewhere edited={edited} theirs={value === null ? t('elsewhere.empty') : String(value)} />
    </div>
  )
}

/** Null for an empty text, NaN for anything that is not a whole number. */
function numberIn(text: string): number | null {
  return text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : NaN
}
