import { straightText } from '../../shared/text/safe-characters.ts'

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

/** Right-to-left letters: the two parts of such a name would swap places. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const TAIL = 9
/** Combining marks, joiners and variation selectors belong to the character before them. */
const CLINGS_TO_WHAT_IS_BEFORE = /^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])/u

/** Where to split a name so that its end, with the extension, stays visible; 0 if it should not be split. */
function tailStart(name: string): number {
  if (name.length <= TAIL * 2 || RIGHT_TO_LEFT.test(name)) return 0
  let at = name.length - TAIL
  while (at > 0 && (isLowSurrogate(name, at) || CLINGS_TO_WHAT_IS_BEFORE.test(name.slice(at)))) at -= 1
  return at
}

const isLowSurrogate = (name: string, at: number) => (name.charCodeAt(at) & 0xfc00) === 0xdc00
