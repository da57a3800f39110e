import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from './use-connection.ts'

/** Show no text about waiting before this delay. */
const QUIET_MS = 800

/** Before the first snapshot. */
export function Connecting() {
  const { t } = useTranslation('frame')
  const { state } = useConnection()
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <main className="frame-page" aria-busy>
      {isSlow ? (
        <p className="secondary" role="status">
          {t(state === 'lost' ? 'notReached' : 'connecting')}
        </p>
      ) : null}
    </main>
  )
}
