/** How strings of a `.desktop` file are written: a line break would begin another key. */
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One argument of an `Exec` line (Desktop Entry Specification, "The Exec key"). */
export function execArgument(text: string): string {
  const quoted = text.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')
  return `"${quoted.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character]!)}"`
}
