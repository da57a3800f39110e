const MAX_CELLS = 4_000_000

/**
 * The lines of a table as cells (RFC 4180), with any separator of one character and line ends of any kind, without empty lines. `isLoose`:
 * spaces around cells do not count, and a cell without quotes may have some in it. Throws an `Error` that says where a quote is wrong, and for
 * too many cells.
 *
 * In time proportional to the text, also of a hostile file: `csv-parse`, which the tests compare it with, takes 15 s for a million lines of
 * other lengths, and `papaparse` lets stray quotes pass.
 */
export function readCells(text: string, separator: string, { isLoose = false } = {}): string[][] {
  const ends = new RegExp(`[${separator}\\r\\n]`, 'g')
  const lines: string[][] = []
  let line: string[] = []
  let cells = 0
  for (let at = 0; ;) {
    cells += 1
    if (cells > MAX_CELLS) throw new Error(`it has more than ${MAX_CELLS} cells`)
    const start = isLoose ? afterSpaces(text, at, separator) : at
    const { cell, end } = text[start] === '"' ? quotedCell(text, start) : plainCell(text, at, ends, isLoose)
    line.push(cell)
    at = isLoose ? afterSpaces(text, end, separator) : end
    const next = text[at]
    if (next !== undefined && next !== separator && next !== '\r' && next !== '\n')
      throw new Error(`there is text after a closing quote in line ${lineAt(text, at)}`)
    if (next === separator) {
      at += 1
      continue
    }
    if (line.length > 1 || line[0] !== '') lines.push(line)
    line = []
    if (next === undefined) return lines
    at += text.startsWith('\r\n', at) ? 2 : 1
  }
}

interface Cell {
  cell: string
  /** What comes after it. */
  end: number
}

function plainCell(text: string, start: number, ends: RegExp, isLoose: boolean): Cell {
  ends.lastIndex = start
  const end = ends.exec(text)?.index ?? text.length
  const cell = text.slice(start, end)
  if (isLoose) return { cell: cell.trim(), end }
  if (cell.includes('"'))
    throw new Error(`there is a quote within a cell without quotes in line ${lineAt(text, start)}`)
  return { cell, end }
}

/** A quote within is written twice. */
function quotedCell(text: string, start: number): Cell {
  let cell = ''
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) throw new Error(`a quote is not closed in line ${lineAt(text, start)}`)
    cell += text.slice(from, quote)
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 }
    cell += '"'
    from = quote + 2
  }
}

function afterSpaces(text: string, start: number, separator: string): number {
  let at = start
  while ((text[at] === ' ' || text[at] === '\t') && text[at] !== separator) at += 1
  return at
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split(/\r\n|\r|\n/).length
