import { straightText } from '../../shared/text/safe-characters.ts'
import { splitPath } from './split-path.ts'

const MAX_TAIL = 28

/** A path on one line, shortened before its last name. Whole for screen readers; `whole` is the tooltip. */
export function PathText(given: { path: string; whole: string; className: string }) {
  const [path, whole] = [straightText(given.path), straightText(given.whole)]
  const { name, parent } = splitPath(path)
  const isCut = parent.length > 1 && name.length <= MAX_TAIL
  return (
    <span className={`path-text ${given.className}`} dir="ltr" title={whole}>
      {isCut ? (
        <>
          <span className="unseen">{path}</span>
          <bdi className="ellipsis" aria-hidden>
            {path.slice(0, path.length - name.length)}
          </bdi>
          <bdi aria-hidden>{name}</bdi>
        </>
      ) : (
        <bdi className="ellipsis">{path}</bdi>
      )}
    </span>
  )
}
