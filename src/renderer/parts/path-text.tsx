import { splitPath } from './split-path.ts'

const LONGEST_TAIL = 28

/** A path on one line, shortened before its last name; `whole` is the tooltip. */
export function PathText({ path, whole, className }: { path: string; whole: string; className: string }) {
  const { name, parent } = splitPath(path)
  const isCut = parent.length > 1 && name.length <= LONGEST_TAIL
  return (
    <span className={`path-text ${className}`} dir="ltr" title={whole}>
      <bdi className="ellipsis">{isCut ? path.slice(0, path.length - name.length) : path}</bdi>
      {isCut ? <bdi>{name}</bdi> : null}
    </span>
  )
}
