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
