import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** A figure between bounds; a field that may stay empty gives null for it. What is wrong is not taken, and says so. */
export function NumberField({
  label,
  value,
  least,
  most,
  isNeeded = false,
  onValue,
}: {
  label: string
  value: number | null
  least: number
  most: number
  isNeeded?: boolean
  onValue: (value: number | null) => void
}) {
  const { t, i18n } = useTranslation('chargers')
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? (value === null ? '' : String(value))
  const isRight = isNumberIn(text, least, most, isNeeded)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input figures"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={!isRight}
        aria-describedby={isRight ? undefined : `${id}-wrong`}
        onChange={(event) => {
          const given = event.target.value
          setTyped(given)
          if (isNumberIn(given, least, most, isNeeded)) onValue(given.trim() === '' ? null : numberOf(given))
        }}
        onBlur={() => isRight && setTyped(null)}
      />
      {isRight ? null : (
        <p id={`${id}-wrong`} className="field-error">
          {t('route.bounds', { least: least.toLocaleString(i18n.language), most: most.toLocaleString(i18n.language) })}
        </p>
      )}
    </div>
  )
}

const numberOf = (text: string) => Number(text.trim().replace(',', '.'))

function isNumberIn(text: string, least: number, most: number, isNeeded: boolean): boolean {
  if (text.trim() === '') return !isNeeded
  const value = numberOf(text)
  return value >= least && value <= most
}
