import fc from 'fast-check'
import { expect, it } from 'vitest'
import { replacerOf } from '../../../src/shared/jobs/replace-words.ts'

const replace = (text: string, find: string, replaceBy: string, more = {}) =>
  replacerOf({ find, replaceBy, matchCase: false, wholeWords: false, ...more })(text)

it('replaces every occurrence, whatever its case unless that is asked for', () => {
  expect(replace('A Plane and a plane', 'plane', 'aircraft')).toBe('A aircraft and a aircraft')
  expect(replace('A Plane and a plane', 'plane', 'aircraft', { matchCase: true })).toBe('A Plane and a aircraft')
  expect(replace('GRÜN und grün', 'grün', 'rot')).toBe('rot und rot')
})

it('takes whole words as any script writes them', () => {
  const whole = { wholeWords: true }
  expect(replace('Tor, Torbogen, Vortor', 'tor', 'Tür', whole)).toBe('Tür, Torbogen, Vortor')
  expect(replace('öl und Öltank', 'öl', 'Fett', whole)).toBe('Fett und Öltank')
  expect(replace('A1 and A12', 'a1', 'B2', whole)).toBe('B2 and A12')
})

it('finds words however their accents are written', () => {
  expect(replace('Tu\u0308r', 'Tür', 'Tor')).toBe('Tor')
  expect(replace('Tür', 'Tu\u0308r', 'Tor')).toBe('Tor')
})

it('takes what is found and what takes its place literally', () => {
  expect(replace('a.b (c) [d]', '(c) [', '$1$&')).toBe('a.b $1$&d]')
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string(), (find, by) => {
      fc.pre(!find.normalize('NFC').toLowerCase().includes('|') && find.normalize('NFC') === find)
      expect(replace(find, find, by, { matchCase: true })).toBe(by.normalize('NFC') === find ? find : by)
    }),
  )
})

it('leaves a text as it is, byte for byte, where nothing is found', () => {
  expect(replace('Tu\u0308r', 'Fenster', 'Tor')).toBe('Tu\u0308r')
})
