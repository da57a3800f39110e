import { tailStart } from './tail-start.ts'

/** A file's name on one line. What does not fit is left out of its middle; the whole is in the tooltip. */
export function FileName({ name, className = '' }: { name: string; className?: string }) {
  const cut = tailStart(name)
  return (
    <span className={`file-name ${className}`} title={name}>
      <span className="file-name-head" dir="auto">
        {cut === 0 ? name : name.slice(0, cut)}
      </span>
      {cut === 0 ? null : <span className="file-name-tail">{name.slice(cut)}</span>}
    </span>
  )
}
