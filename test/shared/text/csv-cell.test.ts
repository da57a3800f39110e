import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvCell, csvTable, fromCsvCell } from '../../../src/shared/text/csv-cell.ts'

describe('a cell of a CSV file', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['a lake, -5 °C', '"a lake, -5 °C"'],
    ['a;b', '"a;b"'],
    ['a;=1', '"a;=1"'],
    ['Rock & Roll: -5 °C; -20 % off', '"Rock & Roll: -5 °C; -20 % off"'],
    ['a - b = c @ d', 'a - b = c @ d'],
  ])('leaves %j as it is', (text, cell) => expect(csvCell(text)).toBe(cell))

  it.each([
    ['=1', `"'=1"`],
    [' =1', `"' =1"`],
    ['"=1', `"'""=1"`],
    ["'-5 °C", `"''-5 °C"`],
    ['\t=1', `"'\t=1"`],
    ['\r1', `"'\r1"`],
    ['＝1', `"'＝1"`],
  ])('makes text of %j', (text, cell) => expect(csvCell(text)).toBe(cell))

  it('leaves numbers numbers, and nothing nothing', () => {
    expect([csvCell(-5), csvCell(null), csvCell(true)]).toEqual(['-5', '', 'true'])
  })

  it('has a blank for a control character, and a question mark for a character that was lost', () => {
    expect(csvCell('a\u000bb\u0085c')).toBe('a b c')
    expect(csvCell('Caf\ufffd \ud800')).toBe('Caf? ?')
  })

  it('is as it is for an importer, which would publish an apostrophe', () => {
    const table = csvTable([['-20 % on coats', '51,-179.5', '=1']], { guard: false })
    expect(table).toBe('-20 % on coats,"51,-179.5",=1\r\n')
  })

  it('comes back as it was, with apostrophes of its own too', () => {
    const unquoted = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    const part = fc.constantFrom('=', '-', '@', ';', ',', '\t', '\n', '|', '"', "'", "''", ' ', 'a', '1')
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
    const comesBack = fc.property(text, (given) => fromCsvCell(unquoted(csvCell(given))) === given)
    fc.assert(comesBack, { numRuns: 3000 })
  })

  it.each([
    ['=1', '=1'],
    ["it's", "it's"],
    ["'quoted'", "'quoted'"],
    ["a;'=1", "a;'=1"],
    ["'=1", '=1'],
  ])('may be typed by a person: %j is %j', (cell, text) => expect(fromCsvCell(cell)).toBe(text))

  it('is made in one pass, so that a hostile text cannot hold up an export', () => {
    expect(csvCell('\t'.repeat(1_000_000))).toHaveLength(1_000_003)
    expect(csvCell(' "'.repeat(1_000_000))).toHaveLength(3_000_002)
    expect(fromCsvCell("'".repeat(1_000_000))).toHaveLength(1_000_000)
  })
})
