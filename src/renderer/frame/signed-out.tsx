import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../parts/copy-button.tsx'
import { useConnection } from '../bridge/connect.ts'
import './signed-out.css'

const COMMAND = 'hangar serve --link'

/** The page cannot use its server until a person opens a new link. */
export default function SignedOut() {
  const { t } = useTranslation(['signIn', 'frame'])
  const { linkRefused } = useConnection()
  useEffect(() => {
    document.title = t('frame:title', { what: t('title') })
  }, [t])
  return (
    <main className="frame-page">
      <div className="signed-out stack">
        <h1>{t('title')}</h1>
        <p role={linkRefused ? 'alert' : undefined}>{t(linkRefused ? 'refused' : 'why')}</p>
        <p>{t('how')}</p>
        <div className="signed-out-command">
          <code className="mono">{COMMAND}</code>
          <CopyButton text={COMMAND} />
        </div>
      </div>
    </main>
  )
}
