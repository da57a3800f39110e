import { beforeEach, describe, expect, it } from 'vitest'
import { allEnded, EndingBatches } from '../../src/main/core/ending-batches.ts'
import { ConditionDebouncer } from '../../src/main/core/condition-debouncer.ts'
import { NO_JOBS } from '../../src/shared/presentation/progress-figures.ts'

describe('A batch', () => {
  const job = (state: 'waiting' | 'done' | 'failed' | 'held', batchId = 'b') => ({ batchId, state })
  let batches: EndingBatches
  beforeEach(() => {
    batches = new EndingBatches(1000)
  })

  it('is looked at a second after its last job ended', () => {
    batches.job(job('done'), 'writing', 0)
    batches.job(job('done'), 'writing', 700)
    expect(batches.nextAtMs()).toBe(1700)
    expect(batches.due(1600)).toEqual([])
    expect(batches.due(1700)).toEqual(['b'])
    expect(batches.nextAtMs()).toBe(Infinity)
  })

  it('is not looked at while a job of it moves', () => {
    batches.job(job('done'), 'writing', 0)
    batches.job(job('waiting'), 'sending', 500)
    expect(batches.due(Infinity)).toEqual([])
  })

  it('that has ended is looked at again only after a job of it was tried again', () => {
    batches.job(job('failed'), 'waiting', 0)
    expect(batches.due(1000)).toEqual(['b'])
    batches.ended('b')
    batches.batch({ id: 'b', open: false }, 1100)
    batches.job(job('failed'), 'failed', 1200)
    expect(batches.nextAtMs()).toBe(Infinity)
    batches.job(job('waiting'), 'failed', 1300)
    batches.job(job('done'), 'writing', 1400)
    expect(batches.nextAtMs()).toBe(2400)
  })

  it('that has ended is looked at again after a picture that ended at once joined it', () => {
    batches.ended('b')
    batches.job(job('failed'), null, 100)
    expect(batches.due(1100)).toEqual(['b'])
  })

  it('is looked at after the job that it still had was moved to another batch', () => {
    batches.job(job('done'), 'writing', 0)
    batches.due(1000)
    batches.job(job('held', 'another'), 'held', 2000, 'b')
    expect(batches.due(3000)).toEqual(['b'])
  })

  it('without jobs is looked at once its files were searched for', () => {
    batches.batch({ id: 'r', open: true }, 0)
    expect(batches.nextAtMs()).toBe(Infinity)
    batches.batch({ id: 'r', open: false }, 100)
    expect(batches.due(Infinity)).toEqual(['r'])
  })

  it('that may still grow is looked at again later', () => {
    batches.job(job('done'), 'writing', 0)
    batches.due(1000)
    batches.lookAgain('b', 1000)
    expect(batches.nextAtMs()).toBe(3000)
  })

  it('has ended when every job of it ended one way or another, and none is held', () => {
    const ended = { ...NO_JOBS, done: 3, failed: 1, unknown: 1, skipped: 1, cancelled: 1 }
    expect(allEnded(ended)).toBe(true)
    expect(allEnded(NO_JOBS)).toBe(true)
    for (const state of ['held', 'ready', 'waiting', 'writing'] as const)
      expect(allEnded({ ...ended, [state]: 1 })).toBe(false)
  })
})

describe('What needs a person', () => {
  const full = 'disk_full'
  const missing = (path: string) => `watched_folder_missing ${path}`
  let edge: ConditionDebouncer
  beforeEach(() => {
    edge = new ConditionDebouncer([], 0)
  })

  it('begins once, when it has lasted three seconds', () => {
    expect(edge.newlyActive([full], 1000)).toHaveLength(0)
    expect(edge.nextAtMs()).toBe(4000)
    expect(edge.newlyActive([full], 4000)).toHaveLength(1)
    expect(edge.newlyActive([full], 5000)).toHaveLength(0)
    expect(edge.newlyActive([full], 500_000)).toHaveLength(0)
    expect(edge.nextAtMs()).toBe(Infinity)
  })

  it('that is over sooner never began', () => {
    edge.newlyActive([full], 0)
    edge.newlyActive([], 2000)
    expect(edge.newlyActive([full], 4000)).toHaveLength(0)
  })

  it('begins at once at the end of a command', () => {
    expect(edge.newlyActive([full], 0, true)).toHaveLength(1)
  })

  it('begins for each folder and each reason', () => {
    expect(edge.newlyActive([missing('/a')], 0, true)).toHaveLength(1)
    expect(edge.newlyActive([missing('/a'), missing('/b')], 1000, true)).toHaveLength(1)
    expect(edge.newlyActive([missing('/b'), full], 2000, true)).toHaveLength(1)
    expect(edge.newlyActive([missing('/a'), missing('/b'), full], 3000, true)).toHaveLength(0)
  })

  it('begins again when it was gone for a minute, not for a retry', () => {
    edge.newlyActive([full], 0, true)
    edge.newlyActive([], 10_000)
    expect(edge.newlyActive([full], 20_000, true)).toHaveLength(0)
    edge.newlyActive([], 80_000)
    expect(edge.newlyActive([full], 81_000, true)).toHaveLength(1)
  })

  it('is not told again by the next start, unless it was gone meanwhile', () => {
    edge.newlyActive([full], 0, true)
    expect(new ConditionDebouncer(edge.told(), 0).newlyActive([full], 10_000, true)).toHaveLength(0)
    edge.newlyActive([], 60_000)
    expect(edge.told()).toEqual([])
  })

  it('is not told again by a later start that finds it back after its first look', () => {
    edge = new ConditionDebouncer([{ key: 'disk_full', seenMs: -3_600_000 }], 0)
    edge.newlyActive([], 0)
    expect(edge.newlyActive([full], 5000, true)).toHaveLength(0)
    expect(edge.told()).toEqual([{ key: 'disk_full', seenMs: 5000 }])
  })

  it('is over when a short command ends without it a minute after an earlier one saw it', () => {
    const told = (seenMs: number) => {
      edge = new ConditionDebouncer([{ key: 'disk_full', seenMs }], 0)
      edge.newlyActive([], 30_000, true)
      return edge.told()
    }
    expect(told(-20_000)).toEqual([{ key: 'disk_full', seenMs: -20_000 }])
    expect(told(-30_000)).toEqual([])
  })
})
