import { describe, expect, it } from 'vitest'
import { shortened, wrapped } from '../../src/main/cli/figures.ts'

describe('a line for a terminal', () => {
  const LINE = '  note: opening hours are not known; a single charger; position is that of the airfield'

  it('is cut between words, and goes on further in', () => {
    expect(wrapped(LINE, 40)).toEqual([
      '  note: opening hours are not known; a',
      '    single charger; position is that of',
      '    the airfield',
    ])
  })

  it('stays whole where it fits, where nobody knows the width, and where hardly anything fits', () => {
    for (const most of [null, 0, 20, LINE.length, 200]) expect(wrapped(LINE, most)).toEqual([LINE])
  })

  it('does not cut a word, and keeps the spaces of a table', () => {
    const long = 'x'.repeat(60)
    expect(wrapped(`a ${long} b`, 40)).toEqual(['a', `  ${long}`, '  b'])
    expect(wrapped('12  EDAZ  free', 40)).toEqual(['12  EDAZ  free'])
  })

  it('counts wide characters as two', () => {
    expect(shortened('充電器充電器', 6)).toBe('充電…')
    expect(shortened('EDAZ', 4)).toBe('EDAZ')
    expect(shortened('EDAZ Schönhagen', 6)).toBe('EDAZ…')
  })
})
