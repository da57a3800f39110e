import { X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import { IconButton } from './button.tsx'
import { Floor } from './floor.ts'
import { useOpenDialogs } from '../store/open-dialogs.ts'
import { ToastList } from './toasts.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  wide?: boolean
  /** Without the row with title and close button; the title is still its accessible name. */
  bare?: boolean
  /** The buttons at the end, the main one last. */
  actions?: ReactNode
  children: ReactNode
}

/** Initial focus: the marked element, else the first field, else the title. */
const FIRST = ['[data-autofocus="true"]', '.dialog-body :is(input, select, textarea):not(:disabled)', 'h2']

/** A modal `<dialog>`, shown while it is rendered: the focus stays inside, Escape closes it. */
export function Dialog({ title: given, onClose, wide = false, bare = false, actions, children }: DialogProps) {
  const title = straightText(given)
  const lastFocus = useRef<HTMLElement | null>(null)
  const titleId = useId()
  const { ref, floor, isTop } = useModal(titleId, onClose)
  return (
    <dialog
      ref={ref}
      className={['dialog', wide ? 'wide' : '', bare ? 'bare' : ''].filter(Boolean).join(' ')}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // React bubbles this event from a dialog or a file field inside this one.
        if (event.target !== event.currentTarget) return
        // If it cannot be cancelled, the dialog closes next.
        if (!event.cancelable) return
        event.preventDefault()
        onClose()
      }}
      // Browsers let a page keep its dialog open only once without user interaction: a second Escape closes it anyway.
      onClose={({ target, currentTarget }) => {
        if (target !== currentTarget || !currentTarget.isConnected || currentTarget.open) return
        currentTarget.showModal()
        lastFocus.current?.focus()
        onClose()
      }}
      onFocus={({ target }) => (lastFocus.current = target)}
    >
      <Floor value={floor}>
        {bare ? (
          <h2 className="unseen" id={titleId} tabIndex={-1}>
            {title}
          </h2>
        ) : (
          <header className="dialog-head row single apart">
            <h2 id={titleId} tabIndex={-1} title={title}>
              {title}
            </h2>
            <IconButton label={t('common:close')} onClick={onClose}>
              <X size={16} aria-hidden />
            </IconButton>
          </header>
        )}
        <div className="dialog-body">{children}</div>
        {actions === undefined ? null : <footer className="dialog-foot row end">{actions}</footer>}
        {isTop ? <ToastList /> : null}
      </Floor>
    </dialog>
  )
}

/** Opens the dialog over the page, and over other dialogs. `floor` is null until it is open. */
function useModal(id: string, onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  const [floor, setFloor] = useState<HTMLElement | null>(null)
  const latestClose = useRef(onClose)
  useEffect(() => {
    latestClose.current = onClose
  })
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    setFloor(dialog)
    const first = FIRST.map((selector) => dialog?.querySelector<HTMLElement>(selector)).find((found) => found != null)
    first?.focus()
    const shown = { id, cancel: () => latestClose.current() }
    useOpenDialogs.setState(({ open }) => ({ open: [...open, shown] }))
    return () => {
      useOpenDialogs.setState(({ open }) => ({ open: open.filter((one) => one !== shown) }))
      dialog?.close()
    }
  }, [id])
  const isTop = useOpenDialogs(({ open }) => open.at(-1)?.id === id)
  return { ref, floor, isTop }
}
