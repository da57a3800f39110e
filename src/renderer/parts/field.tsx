import { useId } from 'react'
import type {
  FormEvent,
  FormHTMLAttributes,
  InputHTMLAttributes,
  ReactNode,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'react'

interface Labelled {
  label: string
  hint?: ReactNode
  error?: string | null
}

/** Its fields say what is wrong with them, in place of the browser. */
export function Form({
  onSubmit,
  ...rest
}: Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> & { onSubmit: () => void }) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return <form noValidate onSubmit={submit} {...rest} />
}

/** A control with its label, hint and error; the control is given what ties it to them. */
export function Field({ label, hint, error, children }: Labelled & { children: (control: object) => ReactNode }) {
  const id = useId()
  const by = [hint === undefined ? null : `${id}-hint`, error == null ? null : `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': error != null, 'aria-describedby': by || undefined })}
      <Hint id={id}>{hint}</Hint>
      <FieldError id={`${id}-error`} text={error ?? null} />
    </div>
  )
}

function Hint({ id, children }: { id: string; children: ReactNode }) {
  return children === undefined ? null : (
    <div className="field-hint" id={`${id}-hint`}>
      {children}
    </div>
  )
}

export function FieldError({ id, text }: { id?: string; text: string | null }) {
  return text === null ? null : (
    <p id={id} className="field-error" role="alert">
      {text}
    </p>
  )
}

export function TextField({ label, hint, error, ...rest }: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...{ label, hint, error: error ?? null }}>
      {(control) => <input className="input" {...control} {...rest} />}
    </Field>
  )
}

export function TextArea({ label, hint, error, ...rest }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field {...{ label, hint, error: error ?? null }}>
      {(control) => <textarea className="textarea" {...control} {...rest} />}
    </Field>
  )
}

interface SelectProps<Value extends string> extends Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'value' | 'onChange'
> {
  choices: readonly { value: Value; label: string; lang?: string | undefined }[]
  value: Value
  onChange: (value: Value) => unknown
}

export function Select<Value extends string>({ choices, onChange, ...rest }: SelectProps<Value>) {
  return (
    <select className="select" onChange={(event) => onChange(event.target.value as Value)} {...rest}>
      {choices.map(({ label, ...choice }) => (
        <option key={choice.value} {...choice}>
          {label}
        </option>
      ))}
    </select>
  )
}

export function SelectField<Value extends string>({ label, hint, error, ...rest }: Labelled & SelectProps<Value>) {
  return <Field {...{ label, hint, error: error ?? null }}>{(control) => <Select {...control} {...rest} />}</Field>
}

function Check({ label, hint, ...rest }: Omit<Labelled, 'error'> & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <div className="check">
      <input id={id} aria-describedby={hint === undefined ? undefined : `${id}-hint`} {...rest} />
      <div>
        <label htmlFor={id}>{label}</label>
        <Hint id={id}>{hint}</Hint>
      </div>
    </div>
  )
}

export function CheckField({
  onChange,
  ...rest
}: Omit<Labelled, 'error'> & { checked: boolean; onChange: (checked: boolean) => unknown }) {
  return <Check type="checkbox" onChange={(event) => onChange(event.target.checked)} {...rest} />
}

interface ChoicesProps<Value extends string, Option> {
  label: string
  choices: readonly Option[]
  value: Value
  onChange: (value: Value) => unknown
}

export function ChoiceList<Value extends string>(
  given: ChoicesProps<Value, { value: Value; label: string; hint?: ReactNode; disabled?: boolean }>,
) {
  const { label, choices, value, onChange } = given
  const name = useId()
  return (
    <div className="field">
      <span className="field-label" id={name}>
        {label}
      </span>
      <div className="choices stack snug" role="radiogroup" aria-labelledby={name}>
        {choices.map((choice) => (
          <Check
            key={choice.value}
            type="radio"
            name={name}
            {...choice}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
        ))}
      </div>
    </div>
  )
}

export function SegmentedField<Value extends string>({
  children,
  ...rest
}: SegmentedProps<Value> & { children?: ReactNode }) {
  return (
    <div className="field">
      <span className="field-label">{rest.label}</span>
      <div>
        <Segmented {...rest} />
      </div>
      {children}
    </div>
  )
}

type SegmentedProps<Value extends string> = ChoicesProps<Value, { value: Value; label: ReactNode }>

export function Segmented<Value extends string>({ label, choices, value, onChange }: SegmentedProps<Value>) {
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
