import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../store/use-attempt.ts'
import { Button } from '../parts/button.tsx'
import { FieldError } from '../parts/field.tsx'

/** Names and makes a folder; Escape takes back only this. `onMake` resolves to why it could not be made, or null. */
export function NewFolder({
  onMake,
  onCancel,
}: {
  onMake: (name: string) => Promise<string | null>
  onCancel: () => void
}) {
  const { t } = useTranslation(['folders', 'common'])
  const [name, setName] = useState('')
  const { isBusy, failure, attempt, forget } = useAttempt('new-folder.onMake')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isUsable = name.trim() !== '' && !isBusy
  const make = () => onMake(name.trim()).finally(() => input.current?.focus())
  return (
    <form
      noValidate
      className="browser-naming"
      onSubmit={(event) => {
        event.preventDefault()
        if (isUsable) attempt(make)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onCancel()
      }}
    >
      <input
        ref={input}
        className="input"
        autoFocus
        dir="auto"
        maxLength={200}
        aria-label={t('browser.newName')}
        placeholder={t('browser.newName')}
        value={name}
        aria-invalid={failure !== null}
        aria-describedby={failure === null ? undefined : `${id}-error`}
        onChange={(event) => {
          setName(event.target.value)
          forget()
        }}
      />
      <Button onClick={onCancel}>{t('common:cancel')}</Button>
      <Button type="submit" kind="primary" disabled={!isUsable}>
        {t('browser.make')}
      </Button>
      <FieldError id={`${id}-error`} text={failure} />
    </form>
  )
}
