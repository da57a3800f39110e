interface PathStep {
  name: string
  /** How many folders above the path's last one: 0 is that one itself. */
  up: number
}

/** A path as steps from its root to its last folder: `/home/anna` → `/`, `home`, `anna`; `C:\Users` → `C:`, `Users`. */
export function pathSteps(path: string): PathStep[] {
  const separator = path.startsWith('/') || !path.includes('\\') ? '/' : '\\'
  const names = path.split(separator).filter((name) => name !== '')
  if (separator === '/' && path.startsWith('/')) names.unshift('/')
  // A share's server is no folder that could be opened: `\\server\share` is one step.
  if (path.startsWith('\\\\') && names.length > 1) names.splice(0, 2, `\\\\${names[0]!}\\${names[1]!}`)
  return names.map((name, index) => ({ name, up: names.length - 1 - index }))
}

/**
 * The index to jump to for typed text: the next name after `from` that begins with it, wrapping around. Null without
 * one.
 */
export function typedAhead(names: readonly string[], typed: string, from: number): number | null {
  const wanted = typed.toLocaleLowerCase()
  // The same letter repeated steps through the names; more letters stay where they already match.
  const start = typed.length === 1 ? from + 1 : from
  for (let n = 0; n < names.length; n++) {
    const index = (Math.max(start, 0) + n) % names.length
    if (names[index]!.toLocaleLowerCase().startsWith(wanted)) return index
  }
  return null
}
