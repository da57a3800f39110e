import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargerFile } from '../../../../src/shared/chargers/exports/charger-files.ts'
import { anyCharger, charger, NOW_MS } from '../any-charger.ts'

const PLAIN = { sample: false, nowMs: NOW_MS }

/** RFC 4180: rows of fields; throws at a quote where none may be. */
function parseCsv(source: string): string[][] {
  const rows: string[][] = [[]]
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy
  let end = 0
  for (const [whole, text, delimiter] of source.matchAll(field)) {
    rows.at(-1)!.push(text!.startsWith('"') ? text!.slice(1, -1).replaceAll('""', '"') : text!)
    if (delimiter === '\r\n') rows.push([])
    end += whole.length
  }
  if (end !== source.length || rows.pop()!.length > 0) throw new Error('not RFC 4180')
  return rows
}

describe('Chargers as CSV', () => {
  it('has a head line and a row for each charger, also without a place', () => {
    const chargers = [charger(), charger({ id: 2, location: null, kw: null })]
    const [head, first, second] = parseCsv(chargerFile('csv', chargers, PLAIN))
    expect(head!.slice(0, 5)).toEqual(['id', 'icao', 'airfield', 'lat', 'lng'])
    expect(first!.slice(0, 6)).toEqual(['1', 'LOWI', 'Innsbruck', '47.26217', '11.344', 'charge_point'])
    expect(second![3]).toBe('')
    expect(first![head!.indexOf('opening_hours')]).toBe('Mo-Su 08:00-18:00')
  })

  it('marks sample data in each row', () => {
    const [head, row] = parseCsv(chargerFile('csv', [charger()], { ...PLAIN, sample: true }))
    expect([head!.at(-1), row!.at(-1)]).toEqual(['notice', 'Sample data, not for navigation'])
    expect(chargerFile('csv', [], PLAIN)).toMatch(/^id,/)
  })

  it('keeps to RFC 4180 whatever the service says, and lets nothing act on a terminal or in a spreadsheet', () => {
    fc.assert(
      fc.property(fc.array(anyCharger, { maxLength: 5 }), fc.boolean(), (chargers, sample) => {
        const written = chargerFile('csv', chargers, { ...PLAIN, sample })
        expect(written).not.toMatch(/(?![\t\r\n])\p{Cc}/u)
        const [head, ...rows] = parseCsv(written)
        expect(rows).toHaveLength(chargers.length)
        for (const row of rows) {
          expect(row).toHaveLength(head!.length)
          for (const cell of row) expect(cell).not.toMatch(/^[=+@\t\r\n＝＋－＠]|^-(?!\d)/)
        }
      }),
    )
  })
})
