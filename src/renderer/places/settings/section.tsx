import type { ReactNode } from 'react'
import { useStateOf } from '../../parts/use-state-of.ts'
import { useView } from '../../store/view-store.ts'

interface SectionProps {
  /** The target of links. */
  id: string
  title: string
  children: ReactNode
}

/** Its content is there only while it is open; a link opens it. */
export function FoldedSection({ id, title, children }: SectionProps) {
  const wanted = useView((view) => view.section)
  const visit = useView((view) => view.visit)
  const [isOpen, setOpen] = useStateOf(`${wanted} ${visit}`, wanted === id)
  return (
    <section className="settings-section folded" id={`settings-${id}`} aria-labelledby={`settings-${id}-title`}>
      <details open={isOpen}>
        <summary
          id={`settings-${id}-title`}
          onClick={(event) => {
            event.preventDefault()
            setOpen(!isOpen)
          }}
        >
          <h2>{title}</h2>
        </summary>
        {isOpen ? children : null}
      </details>
    </section>
  )
}

export function Section({ id, title, children }: SectionProps) {
  return (
    <section className="settings-section" id={`settings-${id}`} aria-labelledby={`settings-${id}-title`}>
      <h2 id={`settings-${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}

export function SettingRow({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <div className="settings-row row apart">
      <div>
        <div className="field-label">{label}</div>
        {hint === undefined ? null : <div className="field-hint">{hint}</div>}
      </div>
      <div className="settings-control row single">{children}</div>
    </div>
  )
}
