import type { ReactNode } from 'react'

export function Empty({ picture, text, children }: { picture?: ReactNode; text: string; children?: ReactNode }) {
  return (
    <div className="empty">
      {picture}
      <p>{text}</p>
      {children}
    </div>
  )
}
