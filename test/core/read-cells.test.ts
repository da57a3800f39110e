import { CsvError, parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readCells } from '../../src/main/core/read-cells.ts'

/** As another reader has it, without lines of one empty cell in quotes; null where it refuses the text. */
function elsewhere(text: string, isLoose: boolean): string[][] | null {
  const lines = { recordDelimiter: ['\r\n', '\n', '\r'], skipEmptyLines: true }
  const loose = isLoose ? { trim: true, relaxQuotes: true } : {}
  try {
    const rows: string[][] = parse(text, { delimiter: ',', relaxColumnCount: true, ...lines, ...loose })
    return rows.filter((row) => row.length > 1 || row[0] !== '')
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

function here(text: string): string[][] | null {
  try {
    return readCells(text, ',')
  } catch {
    return null
  }
}

const cell = fc.string({ unit: fc.constantFrom('a', 'ö', ' ', '"', ',', '\n', '\r\n', ';', '1'), maxLength: 6 })
const plain = fc.string({ unit: fc.constantFrom('a', 'ö', ' ', ';', '1'), maxLength: 4 })
const written = fc.oneof(
  cell.map((text) => `"${text.replaceAll('"', '""')}"`),
  plain,
)
const lines = (one: fc.Arbitrary<string>) =>
  fc
    .array(fc.array(one, { minLength: 1, maxLength: 4 }), { maxLength: 5 })
    .chain((rows) => fc.constantFrom('\n', '\r\n', '\r').map((end) => rows.map((row) => row.join(',')).join(end)))

it('The cells of a table are those that csv-parse reads, and what it refuses is refused', () => {
  let refused = 0
  fc.assert(
    fc.property(fc.oneof(lines(written), lines(cell)), (text) => {
      const cells = elsewhere(text, false)
      if (cells === null) refused += 1
      expect(here(text)).toEqual(cells)
    }),
    { numRuns: 3000 },
  )
  // Otherwise it would have shown nothing.
  expect(refused).toBeGreaterThan(100)
})

it('The cells of a loose table are those that csv-parse reads, without spaces around them', () => {
  const spaced = fc
    .tuple(fc.constantFrom('', ' ', '\t '), written, fc.constantFrom('', ' '))
    .map(([before, text, after]) => `${before}${text}${after}`)
  fc.assert(
    fc.property(lines(spaced), (text) => {
      const cells = elsewhere(text, true)
      if (cells !== null) expect(readCells(text, ',', { isLoose: true })).toEqual(cells)
    }),
    { numRuns: 3000 },
  )
})
