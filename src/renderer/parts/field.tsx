import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'

interface Labelled {
  label: string
  hint?: ReactNode
  error?: string | null
}

function Frame({ id, label, hint, error, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint === undefined ? null : (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      <FieldError id={`${id}-error`} text={error ?? null} />
    </div>
  )
}

/** Why something that was entered or started is refused; nothing for null. */
export function FieldError({ id, text }: { id?: string; text: string | null }) {
  return text === null ? null : (
    <p id={id} className="field-error" role="alert">
      {text}
    </p>
  )
}

function described(id: string, { hint, error }: Labelled) {
  const by = [hint === undefined ? null : `${id}-hint`, error == null ? null : `${id}-error`].filter(Boolean).join(' ')
  return { id, 'aria-invalid': error != null, ...(by === '' ? {} : { 'aria-describedby': by }) }
}

export function TextField({ label, hint, error, ...rest }: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error ?? null}>
      <input className="input" {...described(id, { label, hint, error: error ?? null })} {...rest} />
    </Frame>
  )
}

export function TextArea({ label, hint, error, ...rest }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error ?? null}>
      <textarea className="textarea" {...described(id, { label, hint, error: error ?? null })} {...rest} />
    </Frame>
  )
}

interface Choice<Value extends string> {
  value: Value
  label: string
}

export function SelectField<Value extends string>({
  label,
  hint,
  error,
  choices,
  value,
  onChange,
  ...rest
}: Labelled & {
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange'>) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error ?? null}>
      <select
        className="select"
        {...described(id, { label, hint, error: error ?? null })}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
        {...rest}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

export function CheckField({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <div className="check">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint === undefined ? null : (
          <div className="field-hint" id={`${id}-hint`}>
            {hint}
          </div>
        )}
      </div>
    </div>
  )
}

/** Radio buttons side by side. */
export function Segmented<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string
  choices: readonly { value: Value; label: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <div className="segmented" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input type="radio" name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          {choice.label}
        </label>
      ))}
    </div>
  )
}
