import type { ReactNode } from 'react'

/** A place with nothing in it: one sentence, at most one picture, and what to do about it. */
export function Empty({ picture, text, children }: { picture?: ReactNode; text: string; children?: ReactNode }) {
  return (
    <div className="empty">
      {picture}
      <p>{text}</p>
      {children}
    </div>
  )
}
