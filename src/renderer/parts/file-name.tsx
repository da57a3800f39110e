import { straightText } from '../../shared/text/safe-characters.ts'
import { tailStart } from './tail-start.ts'

/** A file name on one line, shortened in the middle. Whole for screen readers and in the tooltip. */
export function FileName({ name: given, className = '' }: { name: string; className?: string }) {
  const name = straightText(given)
  const cut = tailStart(name)
  return (
    <span className={`file-name ${className}`} title={name}>
      {cut === 0 ? (
        <span className="file-name-head" dir="auto">
          {name}
        </span>
      ) : (
        <>
          <span className="unseen">{name}</span>
          <span className="file-name-head" dir="auto" aria-hidden>
            {name.slice(0, cut)}
          </span>
          <span className="file-name-tail" aria-hidden>
            {name.slice(cut)}
          </span>
        </>
      )}
    </span>
  )
}
