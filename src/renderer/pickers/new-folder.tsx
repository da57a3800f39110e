import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inBackground } from '../store/in-background.ts'
import { Button } from '../parts/button.tsx'

/** Names and makes a folder; Escape takes back only this. */
export function NewFolder({ onMake, onCancel }: { onMake: (name: string) => Promise<void>; onCancel: () => void }) {
  const { t } = useTranslation(['folders', 'common'])
  const [name, setName] = useState('')
  const [isMaking, setMaking] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const isUsable = name.trim() !== '' && !isMaking
  return (
    <form
      className="browser-naming"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isUsable) return
        setMaking(true)
        inBackground('new-folder.onMake', () =>
          onMake(name.trim()).finally(() => {
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
        onChange={(event) => setName(event.target.value)}
      />
      <Button onClick={onCancel}>{t('common:cancel')}</Button>
      <Button type="submit" kind="primary" disabled={!isUsable}>
        {t('browser.make')}
      </Button>
    </form>
  )
}
