import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, expandBraces, matchBaseName, matchPath, pathNames } from '../../src/main/core/path-pattern.ts'
import type { Match } from '../../src/main/core/path-pattern.ts'

const match = (pattern: string, path: string): Match =>
  matchPath(compilePattern(pattern), pathNames(path), { left: 1_000_000 })

describe('a pattern', () => {
  it.each([
    ['a/*.jpg', 'a/b.jpg', 'yes'],
    ['a/*.jpg', 'a/b/c.jpg', 'no'],
    ['a/**/c.jpg', 'a/c.jpg', 'yes'],
    ['a/**/c.jpg', 'a/x/y/c.jpg', 'yes'],
    ['a/**', 'a', 'no'],
    ['a/**', 'a/b/c', 'yes'],
    ['**/b', 'b', 'yes'],
    ['**/b/*/d', 'x/b/b/c/d', 'yes'],
    ['**/b/**/d/e', 'b/d/x/b/d/d/e', 'yes'],
    ['a?c', 'a/c', 'no'],
    ['a?c', 'aäc', 'yes'],
    ['[a-c]1', 'B1', 'yes'],
    ['[!a-c]1', 'b1', 'no'],
    ['[]]', ']', 'yes'],
    ['Entw\u00fcrfe', 'entwu\u0308rfe', 'yes'],
    ['[a', '[a', 'no'],
    ['***/b', 'x/y/b', 'yes'],
  ])('%s and %s: %s', (pattern, path, expected) => expect(match(pattern, path)).toBe(expected))

  it('is about the last name alone where it is asked so', () => {
    const jpegs = compilePattern('*.jpg')
    expect(matchBaseName(jpegs, pathNames('a/b/c.jpg'), { left: 1000 })).toBe('yes')
    expect(matchBaseName(jpegs, pathNames('a.jpg/c'), { left: 1000 })).toBe('no')
  })

  it('of any shape is decided within its length times that of the path', () => {
    const part = fc.constantFrom('*', '**', '?', '/', 'a', 'b', '[ab]', '***', '/**/', '*a', 'a*')
    const pattern = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''))
    const path = fc.array(fc.constantFrom('a', 'b', 'aa', 'ab', 'aaaaaaaaaaaaaaaaaaaa'), {
      minLength: 1,
      maxLength: 60,
    })
    fc.assert(
      fc.property(pattern, path, (text, names) => {
        const given = names.join('/')
        const budget = { left: 4 * (text.length + 2) * (given.length + 2) }
        expect(matchPath(compilePattern(text), pathNames(given), budget)).not.toBe('unclear')
      }),
    )
  })

  it('says what it cannot decide with what is left', () => {
    const long = `${'*a'.repeat(200)}b`
    expect(matchPath(compilePattern(long), pathNames('a'.repeat(4000)), { left: 1000 })).toBe('unclear')
  })
})

describe('braces', () => {
  it('stand for each choice, nested too', () => {
    expect(expandBraces('*.{jpg,p{n,s}g}', 100)?.sort()).toEqual(['*.jpg', '*.png', '*.psg'])
    expect(expandBraces('{a}.jpg', 100)).toEqual(['[{]a}.jpg'])
    expect(expandBraces('{{a,b}}', 100)?.sort()).toEqual(['[{]a}', '[{]b}'])
    expect(expandBraces('{}', 100)).toEqual(['[{]}'])
  })

  it('are refused when they stand for too many or a range, or are not closed', () => {
    for (const bomb of ['{a,b}'.repeat(40), `${'{a,'.repeat(200)}b${'}'.repeat(200)}`, '{a,b', '{1..3}'])
      expect(expandBraces(bomb, 100), bomb.slice(0, 20)).toBeNull()
  })
})
