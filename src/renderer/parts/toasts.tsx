import { X } from 'lucide-react'
import { useEffect } from 'react'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import { dismissToast, holdToasts, useToasts, type Toast } from '../store/toasts.ts'
import { Button, IconButton } from './button.tsx'
import { Speech } from './speech.tsx'

function ToastRow({ toast: { id, text, bad, action } }: { toast: Toast }) {
  return (
    <div className={bad ? 'toast bad' : 'toast'}>
      <p>{straightText(text)}</p>
      {action === null ? null : (
        <Button
          kind="quiet"
          onClick={() => {
            dismissToast(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label={t('common:dismiss')} onClick={() => dismissToast(id)}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}

/** The topmost modal dialog shows the toasts, else the window: elsewhere they could not be reached. */
export function ToastList() {
  const toasts = useToasts((state) => state.toasts)
  const hold = (isHeld: boolean) => () => holdToasts(isHeld)
  // There is no event when an element disappears from under the pointer.
  useEffect(() => hold(false), [])
  return (
    <>
      <Speech />
      {/* Not atomic: with each toast, only that one is spoken. */}
      <div
        className="toasts"
        role="status"
        aria-live="polite"
        aria-atomic={false}
        onPointerEnter={hold(true)}
        onPointerLeave={hold(false)}
        onFocus={hold(true)}
        onBlur={hold(false)}
      >
        {toasts.map((shown) => (
          <ToastRow key={shown.id} toast={shown} />
        ))}
      </div>
    </>
  )
}
