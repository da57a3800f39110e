type Cell = string | number | boolean | null

/** What begins a formula, in the full-width forms too that some spreadsheets take for the same. */
const FORMULA = new Set('=+-@＝＋－＠')
/** What ends a cell or line for some spreadsheet. */
const SEPARATOR = new Set(';|\t\r\n')

/**
 * One cell of a file with commas (RFC 4180), which no spreadsheet takes for a formula; control characters but tab and line
 * ends are replaced, because they would act on a terminal.
 *
 * Quotation marks do not keep a text in its cell: a spreadsheet that splits at `;`, as in countries with a decimal comma, sees
 * a mark that follows a comma as a plain character, and splits the text at its own `;`, tabs and line ends. So an apostrophe
 * goes before whatever would begin a formula at the start of the text or after any of these, spaces and marks between them not
 * counted (OWASP, "CSV injection"). Who splits at commas understands the marks; there only a formula right after one counts, so
 * that "a lake, -5 °C" stays as it is.
 */
export function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = withoutFormulas(value.toWellFormed().replace(/(?![\t\r\n])\p{Cc}/gu, '\ufffd'))
  return /[",;|\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function withoutFormulas(text: string): string {
  let safe = /^[\t\r\n]/.test(text) ? "'" : ''
  let start: 'loose' | 'tight' | null = 'loose'
  for (const character of text) {
    if (start !== null && FORMULA.has(character)) safe += "'"
    safe += character
    if (SEPARATOR.has(character)) start = 'loose'
    else if (character === ',') start = 'tight'
    else if (start === 'tight' ? character !== '"' : !/["\s]/.test(character)) start = null
  }
  return safe
}
