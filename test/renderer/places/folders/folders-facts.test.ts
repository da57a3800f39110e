import { describe, expect, it } from 'vitest'
import { createPathFilter } from '../../../../src/main/watch/path-filter.ts'
import { COUNT_GROUPS, patternsOf, problemOfPatterns } from '../../../../src/renderer/places/folders/folder-facts.ts'
import { splitPath } from '../../../../src/renderer/parts/split-path.ts'
import { countIn } from '../../../../src/shared/presentation/progress-figures.ts'
import { NO_JOBS } from '../../harness/fake-bridge.ts'

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

describe('the counts of a folder', () => {
  it('add up the states of a group', () => {
    const counts = { ...NO_JOBS, held: 2, failed: 3, unknown: 4, done: 5, skipped: 6 }
    expect([countIn(counts, COUNT_GROUPS.failed), countIn(counts, COUNT_GROUPS.unknown)]).toEqual([3, 4])
    expect(countIn(counts, COUNT_GROUPS.held)).toBe(2)
    expect(countIn(counts, COUNT_GROUPS.done)).toBe(5)
    expect(countIn(counts, COUNT_GROUPS.working)).toBe(0)
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
