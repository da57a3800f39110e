import type { ReactNode } from 'react'
import { Field } from './field.tsx'
import './range-field.css'

/** A whole number as a slider and as a number field; typed values are clamped. */
export function RangeField(given: {
  label: string
  hint?: ReactNode
  unit?: string
  min: number
  max: number
  value: number
  onChange: (value: number) => void
}) {
  const { label, hint, unit, min, max, value, onChange } = given
  const bounds = { min, max, value }
  const take = (text: string) => {
    const number = Math.round(Number(text))
    if (text !== '' && Number.isFinite(number)) onChange(Math.min(max, Math.max(min, number)))
  }
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <div className="range row single">
          <input type="range" {...bounds} {...control} onChange={(event) => take(event.target.value)} />
          <input
            type="number"
            className="input figures"
            aria-label={label}
            {...bounds}
            onChange={(event) => take(event.target.value)}
          />
          {unit === undefined ? null : <span className="secondary">{unit}</span>}
        </div>
      )}
    </Field>
  )
}
