import { describe, expect, it } from 'vitest'
import { progressFacts } from '../../../src/shared/presentation/progress-facts.ts'

const none = { total: 0, ended: 0, done: 0, skipped: 0 }
const noCounts = { failed: 0, unknown: 0, held: 0 }

describe('what goes on', () => {
  it('names batches that wait for a drive, where nothing else goes on too', () => {
    const one = { code: 'away', count: 1 }
    expect(progressFacts({ progress: none, counts: noCounts, paused: false, away: 1 })).toEqual([one])
    expect(progressFacts({ progress: { ...none, total: 3 }, counts: noCounts, paused: true, away: 1 })).toEqual([
      { code: 'paused' },
      { code: 'working', ended: 0, total: 3 },
      one,
    ])
  })

  it.each([
    ['nothing', none, noCounts, ['idle']],
    ['work', { ...none, total: 12, ended: 3, done: 3 }, noCounts, ['working 3/12']],
    [
      'work of which some failed',
      { ...none, total: 12, ended: 7, done: 3 },
      { ...noCounts, failed: 4 },
      ['working 7/12'],
    ],
    ['all done', { ...none, total: 6, ended: 6, done: 6 }, noCounts, ['done 6']],
    ['all failed', { ...none, total: 4, ended: 4 }, { ...noCounts, failed: 4 }, []],
    ['six that failed, were retried and are done', { ...none, total: 12, ended: 12, done: 6 }, noCounts, ['done 6']],
    [
      'some of each',
      { total: 9, ended: 9, done: 3, skipped: 2 },
      { failed: 2, unknown: 2, held: 1 },
      ['done 3', 'skipped 2'],
    ],
    ['all held', none, { ...noCounts, held: 3 }, []],
    ['what an earlier run left undecided', none, { ...noCounts, unknown: 2 }, []],
    ['all cancelled', { ...none, total: 2, ended: 2 }, noCounts, ['idle']],
  ])('is said of %s', (_what, progress, counts, expected) => {
    const said = (paused: boolean) =>
      progressFacts({ progress, counts, paused }).map((fact) => {
        if (fact.code === 'working') return `working ${fact.ended}/${fact.total}`
        return 'count' in fact ? `${fact.code} ${fact.count}` : fact.code
      })
    expect(said(false)).toEqual(expected)
    expect(said(true)).toEqual(['paused', ...expected])
  })
})
