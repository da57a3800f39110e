import { useState, type ReactNode } from 'react'
import { t } from 'i18next'
import { Button } from './button.tsx'

/**
 * Closes a form that may have unsaved changes: with changes it asks first, and only the answer's own button discards them.
 * Closing again, as with Escape, answers with no.
 */
export function useDiscardQuestion(
  isChanged: boolean,
  onDiscard: () => void,
): {
  close: () => void
  stay: () => void
  /** What the dialog shows instead of its actions; null while nothing is asked. */
  question: ReactNode
} {
  const [isAsked, setAsked] = useState(false)
  const stay = () => setAsked(false)
  return {
    close: () => (isChanged ? setAsked(!isAsked) : onDiscard()),
    stay,
    question:
      isAsked && isChanged ? (
        <>
          <p role="alert">{t('common:discard.question')}</p>
          <Button kind="danger" onClick={onDiscard}>
            {t('common:discard.leave')}
          </Button>
          <Button kind="primary" autoFocus onClick={stay}>
            {t('common:discard.stay')}
          </Button>
        </>
      ) : null,
  }
}
