import type { ReactNode } from 'react'
import './place-header.css'

/** Put it first in a `<section className="place">`; what follows and may scroll is a `<div className="place-scroll">`. */
export function PlaceHeader({ title, beside, children }: { title: string; beside?: ReactNode; children?: ReactNode }) {
  return (
    <header className="place-head">
      <h1>{title}</h1>
      {beside === undefined ? null : <div className="place-beside secondary">{beside}</div>}
      {children === undefined ? null : <div className="place-actions">{children}</div>}
    </header>
  )
}
