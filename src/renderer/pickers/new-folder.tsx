import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inBackground } from '../bridge/in-background.ts'
import { Button } from '../parts/button.tsx'

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
  const [isMaking, setMaking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isUsable = name.trim() !== '' && !isMaking
  return (
    <form
      noValidate
      className="browser-naming"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isUsable) return
        setMaking(true)
        inBackground('new-folder.onMake', () =>
          onMake(name.trim())
            .then(setProblem)
            .finally(() => {
              setMaking(false)
              input.current?.focus()
            }),
        )
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
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-error`}
        onChange={(event) => {
          setName(event.target.value)
          setProblem(null)
        }}
      />
      <Button onClick={onCancel}>{t('common:cancel')}</Button>
      <Button type="submit" kind="primary" disabled={!isUsable}>
        {t('browser.make')}
      </Button>
      {problem === null ? null : (
        <p className="field-error" role="alert" id={`${id}-error`}>
          {problem}
        </p>
      )}
    </form>
  )
}
