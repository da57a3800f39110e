/** One argument of an `Exec` line (Desktop Entry Specification, "The Exec key"). */
export function execArgument(text: string): string {
  const quoted = text.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')
  // The value of a key is itself a string with escapes, so each backslash is doubled.
  return `"${quoted.replaceAll('\\', '\\\\')}"`
}
