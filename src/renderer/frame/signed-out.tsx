import { useEffect } from 'react'
import { t } from 'i18next'
import { CopyButton } from '../parts/copy-button.tsx'
import { useConnection } from '../bridge/connection.ts'
import './signed-out.css'

const COMMAND = 'hangar serve --link'

export default function SignedOut() {
  const { linkRefused } = useConnection()
  useEffect(() => {
    document.title = t('frame:title', { what: t('signIn:title') })
  })
  return (
    <main className="frame-page">
      <div className="signed-out stack">
        <h1>{t('signIn:title')}</h1>
        <p role={linkRefused ? 'alert' : undefined}>{t(linkRefused ? 'signIn:refused' : 'signIn:why')}</p>
        <p>{t('signIn:how')}</p>
        <div className="signed-out-command row single">
          <code className="mono">{COMMAND}</code>
          <CopyButton text={COMMAND} />
        </div>
      </div>
    </main>
  )
}
