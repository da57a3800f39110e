import type { ReactNode } from 'react'

/** For an empty list: a sentence, optionally a picture, and what to do. */
export function Empty({ picture, text, children }: { picture?: ReactNode; text: string; children?: ReactNode }) {
  return (
    <div className="empty">
      {picture}
      <p>{text}</p>
      {children}
    </div>
  )
}
