import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOnDesktop } from '../bridge/connect.ts'
import { Button } from '../parts/button.tsx'
import { useConnection } from '../store/use-connection.ts'

/** Show no text about waiting before this delay. */
const QUIET_MS = 800

/** Before the first snapshot. */
export function Connecting() {
  const { t } = useTranslation('frame')
  const { state, isSilent } = useConnection()
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  if (isSilent || (isSlow && state === 'lost')) return <NotReached />
  return (
    <main className="frame-page" aria-busy>
      {isSlow ? (
        <p className="secondary" role="status">
          {t('connecting')}
        </p>
      ) : null}
    </main>
  )
}

function NotReached() {
  const { t } = useTranslation('frame')
  const shell = isOnDesktop ? 'desktop' : 'web'
  return (
    <main className="frame-page" role="alert">
      <h1>{t('notReached.title')}</h1>
      <p className="secondary frame-advice">{t(`notReached.${shell}`)}</p>
      <Button onClick={() => location.reload()}>{t('notReached.again')}</Button>
    </main>
  )
}
