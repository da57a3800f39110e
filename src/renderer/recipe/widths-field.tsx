import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../parts/field.tsx'
import { typedWidths } from './recipe-draft.ts'

/** Widths in pixels as a typed list. Invalid text stays in the field, and is a problem of the draft. */
export function WidthsField(given: {
  widths: readonly number[]
  onChange: (widths: number[]) => void
  error: string | null
}) {
  const { widths, onChange, error } = given
  const { t } = useTranslation('recipe')
  const [typed, setTyped] = useState(widths.join(', '))
  // The draft was replaced by another recipe.
  const isOther = typedWidths(typed).join() !== widths.join()
  return (
    <TextField
      label={t('widths.label')}
      hint={t('widths.hint')}
      error={error}
      placeholder={t('widths.none')}
      autoComplete="off"
      value={isOther ? widths.join(', ') : typed}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(typedWidths(event.target.value))
      }}
    />
  )
}
