import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { ArrowLeft } from 'lucide-react'
import { IconButton } from '../../../parts/button.tsx'
import { stepBack } from '../store/chargers-actions.ts'
import './detail.css'

/**
 * What is chosen, over the list. The focus goes to its title, also when something else is chosen, and back to where it was
 * when the panel closes. In layout effects: what lies beneath becomes inert with the same change, and the browser takes the
 * focus from it before the next frame.
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
  /** At the end of the title row. */
  actions?: ReactNode
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const headingId = useId()
  useLayoutEffect(() => {
    const before = document.activeElement
    return () => {
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
      // After what replaces the panel is there.
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
