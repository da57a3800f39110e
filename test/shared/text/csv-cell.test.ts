import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvCell, fromCsvCell } from '../../../src/shared/text/csv-cell.ts'

/** How spreadsheets read a line: at which characters they split, and where a quotation mark is more than a character. */
function cellsOf(source: string, separators: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]!
    if (isQuoted && character === '"' && source[at + 1] === '"') cell += source[(at += 1)]!
    else if (isQuoted && character === '"') isQuoted = false
    else if (!isQuoted && character === '"' && cell === '') isQuoted = true
    else if (!isQuoted && (separators.includes(character) || /[\r\n]/.test(character))) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  return [...cells, cell]
}

const lineOf = (text: string) => `photo.jpg,${csvCell(text)},last`

describe('a cell of a CSV file', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['a lake, -5 °C', '"a lake, -5 °C"'],
    ['a;b', '"a;b"'],
    ['a - b = c @ d', 'a - b = c @ d'],
  ])('leaves %j as it is', (text, cell) => expect(csvCell(text)).toBe(cell))

  it.each([
    ['=1', `"'=1"`],
    [' =1', `" '=1"`],
    ['a;=1', `"a;'=1"`],
    ['a; =1', `"a; '=1"`],
    ['a;"=1', `"a;""'=1"`],
    ['a\t@SUM(A1)', `"a\t'@SUM(A1)"`],
    ['a\n-1', `"a\n'-1"`],
    ['a,=1', `"a,'=1"`],
    ['\t=1', `"'\t'=1"`],
    ['a|＝1', `"a|'＝1"`],
  ])('makes text of %j', (text, cell) => expect(csvCell(text)).toBe(cell))

  it('leaves numbers numbers, and nothing nothing', () => {
    expect([csvCell(-5), csvCell(null), csvCell(true)]).toEqual(['-5', '', 'true'])
  })

  it('begins no formula in any spreadsheet, wherever that splits', () => {
    const text = fc
      .array(fc.constantFrom('=', '+', '-', '@', '＝', ';', ',', '\t', '\n', '\r\n', '|', '"', "'", ' ', 'a', '1+1'), {
        maxLength: 12,
      })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 20 })), (given) => {
        const line = lineOf(given)
        for (const separators of [',', ';', '\t', '|', ',;', ',;\t', ';\t|'])
          for (const cell of cellsOf(line, separators))
            expect(cell, JSON.stringify([line, separators])).not.toMatch(/^\s*[=+\-@＝＋－＠]/)
        expect(cellsOf(line, ',')).toHaveLength(3)
      }),
      { numRuns: 3000 },
    )
  })

  it('comes back as it was, with apostrophes of its own too', () => {
    const unquoted = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    const part = fc.constantFrom('=', '-', '@', ';', ',', '\t', '\n', '|', '"', "'", "''", ' ', 'a', '1')
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (given) => {
        expect(fromCsvCell(unquoted(csvCell(given)))).toBe(given)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['=1', '=1'],
    ["it's", "it's"],
    ["'quoted'", "'quoted'"],
    ["a;'=1", 'a;=1'],
  ])('may be typed by a person: %j is %j', (cell, text) => expect(fromCsvCell(cell)).toBe(text))

  it('is made in one pass, so that a hostile text cannot hold up an export', () => {
    expect(csvCell('\t'.repeat(1_000_000))).toHaveLength(1_000_003)
    expect(csvCell(' "'.repeat(1_000_000))).toHaveLength(3_000_002)
    expect(fromCsvCell("'=;".repeat(1_000_000))).toHaveLength(2_000_000)
  })
})
