import { useState, type ComponentProps } from 'react'
import i18next, { t } from 'i18next'
import { TextField } from '../../../parts/field.tsx'

interface TypedProps<Value> extends Omit<ComponentProps<typeof TextField>, 'error' | 'value' | 'onChange'> {
  text: string
  /** Undefined for what cannot be read, which is not passed on. */
  read: (text: string) => Value | undefined
  unreadable?: string
  /** `unreadable` is only said when the field is left: until its last digit, what is typed may be out of range. */
  isLate?: boolean
  /** What is wrong with a value that can be read. */
  wrong?: string | null
  onValue: (value: Value) => void
}

/** A field that gives a value as soon as it can be read, and keeps what was typed until it is left. */
export function TypedField<Value>({
  text,
  read,
  unreadable = '',
  isLate = false,
  wrong = null,
  onValue,
  ...field
}: TypedProps<Value>) {
  const [typed, setTyped] = useState<{ given: string; over: string } | null>(null)
  const [isSaid, setSaid] = useState(!isLate)
  // What cannot be read gives way to a value that comes from elsewhere.
  const isOver = typed !== null && typed.over !== text && read(typed.given) === undefined
  const shown = typed === null || isOver ? text : typed.given
  const isReadable = read(shown) !== undefined
  return (
    <TextField
      {...field}
      error={isReadable ? wrong : isSaid ? unreadable : null}
      value={shown}
      onChange={({ target: { value: given } }) => {
        setTyped({ given, over: text })
        setSaid(!isLate)
        const value = read(given)
        if (value !== undefined) onValue(value)
      }}
      onBlur={() => (isReadable ? setTyped(null) : setSaid(true))}
    />
  )
}

interface NumberProps extends Pick<TypedProps<number | null>, 'label' | 'wrong' | 'onValue'> {
  value: number | null
  least: number
  most: number
  isNeeded?: boolean
}

export function NumberField({ value, least, most, isNeeded = false, ...field }: NumberProps) {
  const read = (text: string) => {
    if (text.trim() === '') return isNeeded ? undefined : null
    const number = Number(text.trim().replace(',', '.'))
    return number >= least && number <= most ? number : undefined
  }
  const bounds = { least: least.toLocaleString(i18next.language), most: most.toLocaleString(i18next.language) }
  return (
    <TypedField
      className="input figures"
      inputMode="decimal"
      autoComplete="off"
      text={value === null ? '' : String(value)}
      read={read}
      unreadable={t('chargers:route.bounds', bounds)}
      {...field}
    />
  )
}
