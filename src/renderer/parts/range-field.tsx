import { useId, type ReactNode } from 'react'
import './range-field.css'

/** A whole number as a slider and as a number field; typed values are clamped. */
export function RangeField({
  label,
  hint,
  unit,
  least,
  most,
  value,
  onChange,
}: {
  label: string
  hint?: ReactNode
  /** Shown after the number, e.g. `%`. */
  unit?: string
  least: number
  most: number
  value: number
  onChange: (value: number) => void
}) {
  const id = useId()
  const hinted = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }
  const take = (text: string) => {
    const number = Math.round(Number(text))
    if (text !== '' && Number.isFinite(number)) onChange(Math.min(most, Math.max(least, number)))
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="range">
        <input
          type="range"
          id={id}
          min={least}
          max={most}
          value={value}
          onChange={(event) => take(event.target.value)}
          {...hinted}
        />
        <input
          type="number"
          className="input figures"
          aria-label={label}
          min={least}
          max={most}
          value={value}
          onChange={(event) => take(event.target.value)}
        />
        {unit === undefined ? null : <span className="secondary">{unit}</span>}
      </div>
      {hint === undefined ? null : (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  )
}
