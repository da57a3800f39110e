import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldError } from '../../../parts/field.tsx'

/** A number field with limits; one that is optional gives null when empty. Invalid input is rejected with an explanation. */
export function NumberField({
  label,
  value,
  least,
  most,
  isNeeded = false,
  wrong = null,
  onValue,
}: {
  label: string
  value: number | null
  least: number
  most: number
  isNeeded?: boolean
  /** What is wrong with a value that is within its bounds. */
  wrong?: string | null
  onValue: (value: number | null) => void
}) {
  const { t, i18n } = useTranslation('chargers')
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? (value === null ? '' : String(value))
  const isRight = isNumberIn(text, least, most, isNeeded)
  const bounds = { least: least.toLocaleString(i18n.language), most: most.toLocaleString(i18n.language) }
  const problem = isRight ? wrong : t('route.bounds', bounds)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input figures"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-wrong`}
        onChange={(event) => {
          const given = event.target.value
          setTyped(given)
          if (isNumberIn(given, least, most, isNeeded)) onValue(given.trim() === '' ? null : numberOf(given))
        }}
        onBlur={() => isRight && setTyped(null)}
      />
      <FieldError id={`${id}-wrong`} text={problem} />
    </div>
  )
}

const numberOf = (text: string) => Number(text.trim().replace(',', '.'))

function isNumberIn(text: string, least: number, most: number, isNeeded: boolean): boolean {
  if (text.trim() === '') return !isNeeded
  const value = numberOf(text)
  return value >= least && value <= most
}
