import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { ArrowLeft } from 'lucide-react'
import { IconButton } from '../../../parts/button.tsx'
import { stepBack } from '../store/chargers-actions.ts'
import './detail.css'

/**
 * A panel over the list. Focus moves to its title, also when its subject changes, and returns to where it was when the panel
 * closes. Uses layout effects, because what is underneath becomes inert in the same commit, and the browser would blur the
 * focused element before the next frame.
 */
export function SidePanel({
  id,
  title,
  back,
  onBack = stepBack,
  actions,
  children,
}: {
  id: string
  title: string
  back: string
  onBack?: () => void
  /** Shown at the end of the title row. */
  actions?: ReactNode
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const headingId = useId()
  useLayoutEffect(() => {
    const before = document.activeElement
    return () => {
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
      // After the replacement panel has mounted.
      queueMicrotask(() => {
        const list = document.querySelector<HTMLElement>('.chargers-list')
        if (document.activeElement === document.body) (isThere ? before : list)?.focus({ preventScroll: true })
      })
    }
  }, [])
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [id])
  return (
    <section className="chargers-panel" aria-labelledby={headingId}>
      <header className="chargers-panel-head">
        <IconButton label={back} onClick={onBack}>
          <ArrowLeft size={16} aria-hidden />
        </IconButton>
        <h2 ref={heading} id={headingId} tabIndex={-1} dir="auto" title={title}>
          {title}
        </h2>
        {actions}
      </header>
      <div className="chargers-panel-body">{children}</div>
    </section>
  )
}
