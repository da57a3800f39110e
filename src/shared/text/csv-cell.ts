import { plainText } from './safe-characters.ts'

type Cell = string | number | boolean | null

/** A text that spreadsheets take for a formula, also with full-width signs, or after spaces and quotation marks; or that begins a line. */
const FORMULA = /^'*(?:[\s"]*[=+\-@＝＋－＠]|[\t\r\n])/

/** With `guard`, an apostrophe stands before what spreadsheets take for a formula (OWASP, "CSV injection"); importers would publish it. */
export function csvCell(value: Cell, guard = true): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = cellText(value)
  const safe = guard && FORMULA.test(text) ? `'${text}` : text
  return /[",;|\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Lines of cells, each with `csvCell`. */
export function csvTable(lines: readonly (readonly Cell[])[], { guard = true } = {}): string {
  return lines.map((cells) => `${cells.map((cell) => csvCell(cell, guard)).join(',')}\r\n`).join('')
}

/** What is left of a text in a table: no control characters but tabs and line ends, and no mark of a character that was lost. */
export const cellText = (text: string): string =>
  plainText(text.toWellFormed())
    .replace(/(?![\t\r\n])\p{Cc}/gu, ' ')
    .replaceAll('\ufffd', '?')

/** The text that `csvCell` made this cell of, or that a person wrote behind an apostrophe of their own. */
export const fromCsvCell = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell)
