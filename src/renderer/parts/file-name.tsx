import { tailStart } from './tail-start.ts'

/** A file name on one line, shortened in the middle; the whole name is in the tooltip. */
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
