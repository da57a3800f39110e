import { describe, expect, it } from 'vitest'
import { createPathFilter } from '../../../../src/main/watch/path-filter.ts'
import { patternsOf, problemOfPatterns } from '../../../../src/renderer/places/folders/folder-facts.ts'
import { splitPath } from '../../../../src/renderer/parts/split-path.ts'

describe('patterns as they are typed', () => {
  it('are one a line, without blanks, empty lines and repetitions', () => {
    expect(patternsOf('  *.jpg \r\n\n*.png\n*.jpg\n{a,b}/**\n')).toEqual(['*.jpg', '*.png', '{a,b}/**'])
    expect(patternsOf(' \n ')).toEqual([])
  })

  it.each([
    ['/photos/*.jpg', 'pattern_leads_out'],
    ['\\\\server\\share', 'pattern_leads_out'],
    ['C:\\photos', 'pattern_leads_out'],
    ['../other/*.jpg', 'pattern_leads_out'],
    ['a/../../b', 'pattern_leads_out'],
    ['!*.gif', 'pattern_negated'],
    ['+(a|b).gif', 'pattern_grouped'],
    ['./', 'pattern_empty'],
    ['x'.repeat(501), 'pattern_too_long'],
  ])('are wrong when one is %s', (pattern, code) => {
    expect(problemOfPatterns(['*.jpg', pattern])).toMatchObject({ code })
  })

  it('are judged as the engine judges them', () => {
    const tried = [
      '*.jpg',
      'drafts/',
      './a',
      'a/b/**',
      '..a',
      'a..b',
      '/x',
      'c:x',
      '..',
      'a/..',
      '!x',
      '@(a|b)',
      'a (1).jpg',
      '{a,b}.jpg',
      './',
      '.',
      '**',
    ]
    for (const pattern of tried) {
      const isRefused = () => {
        try {
          createPathFilter({ include: [pattern], exclude: [], leftOut: [] })
          return false
        } catch {
          return true
        }
      }
      expect(problemOfPatterns([pattern]) !== null, pattern).toBe(isRefused())
    }
  })
})

it.each([
  ['/home/ada/Pictures', 'Pictures', '/home/ada'],
  ['/home/ada/Pictures/', 'Pictures', '/home/ada'],
  ['/srv', 'srv', '/'],
  ['/', '/', ''],
  ['C:\\Users\\ada', 'ada', 'C:\\Users'],
  ['pictures', 'pictures', ''],
])('splits %s for two lines', (path, name, parent) => {
  expect(splitPath(path)).toEqual({ name, parent })
})
