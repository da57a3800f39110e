import type { ReactNode } from 'react'

/** One section of the settings; `id` is the target of links. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="settings-section" id={`settings-${id}`} aria-labelledby={`settings-${id}-title`}>
      <h2 id={`settings-${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** A setting: its label and explanation at the left, its control at the right. */
export function SettingRow({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <div className="settings-row">
      <div>
        <div className="settings-label">{label}</div>
        {hint === undefined ? null : <div className="field-hint">{hint}</div>}
      </div>
      <div className="settings-control">{children}</div>
    </div>
  )
}
