import { useId, type ReactNode } from 'react'
import './choice-list.css'

interface Option<Value extends string> {
  value: Value
  label: string
  /** What choosing it means. */
  hint?: ReactNode
  disabled?: boolean
}

/** Radio buttons below each other, each with an explanation. */
export function ChoiceList<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <div className="field">
      <span className="field-label" id={`${id}-label`}>
        {label}
      </span>
      <div className="choices" role="radiogroup" aria-labelledby={`${id}-label`}>
        {options.map((option) => (
          <div key={option.value} className="check">
            <input
              type="radio"
              id={`${id}-${option.value}`}
              name={id}
              checked={option.value === value}
              disabled={option.disabled ?? false}
              onChange={() => onChange(option.value)}
              {...(option.hint === undefined ? {} : { 'aria-describedby': `${id}-${option.value}-hint` })}
            />
            <div>
              <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
              {option.hint === undefined ? null : (
                <div className="field-hint" id={`${id}-${option.value}-hint`}>
                  {option.hint}
                </div>
              )}
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
