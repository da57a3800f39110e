import { useState } from 'react'
import { t } from 'i18next'
import { Button } from './button.tsx'

/** Closes a form; one with changes asks first. Closing again, as with Escape, answers no. */
export function useDiscardQuestion(isChanged: boolean, onDiscard: () => void) {
  const [isAsked, setAsked] = useState(false)
  const stay = () => setAsked(false)
  return {
    close: () => (isChanged ? setAsked(!isAsked) : onDiscard()),
    stay,
    /** In place of the dialog's actions. */
    question:
      isAsked && isChanged ? (
        <>
          <p role="alert">{t('common:discard.question')}</p>
          <Button kind="danger" onClick={onDiscard}>
            {t('common:discard.leave')}
          </Button>
          <Button key="stay" kind="primary" autoFocus data-focus-after="h2" onClick={stay}>
            {t('common:discard.stay')}
          </Button>
        </>
      ) : null,
  }
}
