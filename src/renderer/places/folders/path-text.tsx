import { splitPath } from './folder-facts.ts'

const LONGEST_TAIL = 28

/** A path on one line. What does not fit is left out before its last name; `whole` is the tooltip. */
export function PathText({ path, whole }: { path: string; whole: string }) {
  const { name, parent } = splitPath(path)
  const isCut = parent !== '' && name.length <= LONGEST_TAIL
  return (
    <span className="folders-path secondary" dir="ltr" title={whole}>
      <bdi className="ellipsis">{isCut ? path.slice(0, path.length - name.length) : path}</bdi>
      {isCut ? <bdi>{name}</bdi> : null}
    </span>
  )
}
