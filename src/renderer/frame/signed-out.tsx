import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { readLink } from './read-link.ts'
import { useConnection } from './use-connection.ts'
import './signed-out.css'

const COMMAND = 'hangar serve --link'

/** The page may not speak with its server until a person opens, or pastes, a fresh link. */
export function SignedOut() {
  const { t } = useTranslation('frame')
  const { linkRefused } = useConnection()
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  useEffect(() => {
    document.title = t('title', { what: t('signedOut.title') })
  }, [t])
  const open = () => {
    const link = readLink(text, location.origin)
    setIsWrong(link.kind === 'none')
    // The bridge listens for the fragment; another port is another page.
    if (link.kind === 'here') location.hash = link.hash
    else if (link.kind === 'elsewhere') location.assign(link.address)
  }
  const error = isWrong ? t('signedOut.wrong') : linkRefused ? t('signedOut.refused') : null
  return (
    <main className="frame-page">
      <form
        className="signed-out"
        onSubmit={(event) => {
          event.preventDefault()
          open()
        }}
      >
        <h1>{t('signedOut.title')}</h1>
        <p>{t('signedOut.why')}</p>
        <p>
          {t('signedOut.how')} <code className="mono">{COMMAND}</code>
        </p>
        <TextField
          label={t('signedOut.field')}
          value={text}
          error={error}
          autoFocus
          spellCheck={false}
          autoComplete="off"
          placeholder={`${location.origin}/#link=…`}
          onChange={(event) => setText(event.target.value)}
        />
        <Button kind="primary" type="submit" disabled={text.trim() === ''}>
          {t('signedOut.open')}
        </Button>
      </form>
    </main>
  )
}
