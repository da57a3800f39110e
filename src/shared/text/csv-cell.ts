import { plainText } from './safe-characters.ts'

type Cell = string | number | boolean | null

/** Characters that begin a formula, including the full-width forms that some spreadsheets treat alike. */
const FORMULA = new Set('=+-@＝＋－＠')
/** Characters that end a cell or line for some spreadsheet. */
const SEPARATOR = new Set(';|\t\r\n')

/**
 * One cell of a comma-separated file (RFC 4180), in plain text, that no spreadsheet takes for a formula. Control characters except tab and
 * line ends are replaced, because a terminal would interpret them.
 *
 * Quotation marks do not keep a text in its cell: a spreadsheet that splits at `;`, as in countries with a decimal comma,
 * takes a mark after a comma for a plain character, and splits the text at its own `;`, tabs and line ends. So an apostrophe
 * is put before every character that would begin a formula at the start of the text or after one of these separators,
 * ignoring spaces and marks in between (OWASP, "CSV injection"). A spreadsheet that splits at commas understands the marks;
 * there only a formula directly after a comma counts, so that "a lake, -5 °C" stays as it is.
 */
export function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = withoutFormulas(plainText(value.toWellFormed()).replace(/(?![\t\r\n])\p{Cc}/gu, '\ufffd'))
  return /[",;|\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Lines of cells, each with `csvCell`. */
export function csvTable(lines: readonly (readonly Cell[])[]): string {
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

function withoutFormulas(text: string): string {
  let safe = LEADING_BREAK.test(text) ? "'" : ''
  eachAtStart(text, (character, begins) => {
    safe += begins ? `'${character}` : character
  })
  return safe
}

/** The text that `csvCell` made this cell of: without the apostrophes before what would begin a formula. */
export function fromCsvCell(cell: string): string {
  const text: string[] = []
  eachAtStart(LEADING_BREAK.test(cell) && cell.startsWith("'") ? cell.slice(1) : cell, (character, begins) => {
    if (begins && text.at(-1) === "'") text.pop()
    text.push(character)
  })
  return text.join('')
}

/** A line end or tab at the start, after apostrophes or none. */
const LEADING_BREAK = /^'*[\t\r\n]/

/**
 * Calls `visit` with each character, and whether it begins a formula where it stands. Apostrophes change nothing about that, so
 * that the answer is the same with those that were put in and without.
 */
function eachAtStart(text: string, visit: (character: string, begins: boolean) => void): void {
  let start: 'loose' | 'tight' | null = 'loose'
  for (const character of text) {
    visit(character, start !== null && FORMULA.has(character))
    if (character === "'") continue
    if (SEPARATOR.has(character)) start = 'loose'
    else if (character === ',') start = 'tight'
    else if (start === 'tight' ? character !== '"' : !/["\s]/.test(character)) start = null
  }
}
