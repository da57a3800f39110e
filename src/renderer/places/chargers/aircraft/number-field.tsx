import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../parts/field.tsx'

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
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? (value === null ? '' : String(value))
  const isRight = (given: string) =>
    given.trim() === '' ? !isNeeded : numberOf(given) >= least && numberOf(given) <= most
  const bounds = { least: least.toLocaleString(i18n.language), most: most.toLocaleString(i18n.language) }
  return (
    <TextField
      className="input figures"
      label={label}
      error={isRight(text) ? wrong : t('route.bounds', bounds)}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={(event) => {
        const given = event.target.value
        setTyped(given)
        if (isRight(given)) onValue(given.trim() === '' ? null : numberOf(given))
      }}
      onBlur={() => isRight(text) && setTyped(null)}
    />
  )
}

const numberOf = (text: string) => Number(text.trim().replace(',', '.'))
