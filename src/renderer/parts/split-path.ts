/** A path as its last name and the part before it, for display on two lines. */
export function splitPath(path: string): { name: string; parent: string } {
  const trimmed = path.length > 1 ? path.replace(/[/\\]+$/, '') : path
  const at = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'))
  if (at === -1 || at === trimmed.length - 1) return { name: trimmed || path, parent: '' }
  return { name: trimmed.slice(at + 1), parent: trimmed.slice(0, Math.max(at, 1)) }
}
