import { useEffect, useState } from 'react'
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
  onSet: (value: number | null) => void
}

/** A whole number, stored on blur or Enter if it is in range. */
export function NumberSetting({ label, hint, range, value, min, max, emptyText, onSet }: NumberSettingProps) {
  const [text, setText] = useState(String(value ?? ''))
  useEffect(() => setText(String(value ?? '')), [value])
  const given = text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : NaN
  const isRight = given === null ? emptyText !== undefined : given >= min && given <= max
  const commit = () => {
    if (isRight && given !== value) onSet(given)
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
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}
