import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { facetKey, fold, foldBothWays } from '../../../src/shared/chargers/fold.ts'
import { anyText } from './any-charger.ts'

describe('fold', () => {
  it('leaves out case, accents and signs', () => {
    expect(fold('  Ljubljana–Jože PUČNIK ')).toBe('ljubljana joze pucnik')
    expect(fold('Straße Ærø Łódź')).toBe('strasse aero lodz')
    expect([fold(null), fold(undefined), fold('…'), fold(5 as unknown as string)]).toEqual(['', '', '', ''])
  })

  it('is the same for what is folded already, and never longer words than one space apart', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = fold(text)
        expect(fold(folded)).toBe(folded)
        expect(folded).not.toMatch(/^ | $| {2}/)
      }),
    )
  })
})

describe('foldBothWays', () => {
  it('adds how German and Nordic letters are written out', () => {
    expect(foldBothWays('Köln')).toBe('koln koeln')
    expect(foldBothWays('Ko\u0308ln')).toBe('koln koeln')
    expect(foldBothWays('Đakovo')).toBe('dakovo djakovo')
    expect([foldBothWays('Bonn'), foldBothWays('Jože'), foldBothWays(null)]).toEqual(['bonn', 'joze', ''])
  })

  it('adds words joined across an apostrophe, straight or curled', () => {
    expect(foldBothWays("St. John's")).toBe('st john s st johns')
    expect(foldBothWays('Île d’Yeu')).toBe('ile d yeu ile dyeu')
  })
})

describe('facetKey', () => {
  it('is one for spellings that differ in case, blanks and signs', () => {
    expect(['CCS2', 'ccs 2', ' CCS-2 ', 'ＣＣＳ２'].map(facetKey)).toEqual(Array(4).fill('ccs2'))
    expect(facetKey('GB/T DC')).toBe('gbtdc')
  })

  it('tells apart what has no letters, and is null for no text', () => {
    expect([facetKey('???'), facetKey('!'), facetKey(''), facetKey('  '), facetKey(null)]).toEqual([
      '???',
      '!',
      null,
      null,
      null,
    ])
  })
})
