import { describe, expect, it } from 'vitest'
import { RowCache } from '../../../src/renderer/store/jobs-rows.ts'
import { jobRow } from '../harness/job-row.ts'

const ids = (count: number) => Array.from({ length: count }, (_, n) => `j${n}`)

describe('the rows that are held', () => {
  it('are no more than the limit, and those go first that were not wanted for longest', () => {
    const cache = new RowCache(3)
    cache.put(ids(3).map((id) => jobRow(id)))
    cache.want(['j0'])
    cache.put([jobRow('j3')])
    expect(cache.size).toBe(3)
    expect(cache.get('j1')).toBeNull()
    expect(cache.get('j0')?.id).toBe('j0')
  })

  it('are never taken away while they are on the screen', () => {
    const cache = new RowCache(2)
    cache.put([jobRow('seen')])
    const stop = cache.listen('seen', () => undefined)
    cache.put(ids(5).map((id) => jobRow(id)))
    expect(cache.get('seen')).not.toBeNull()
    stop()
    cache.put([jobRow('more')])
    expect(cache.get('seen')).toBeNull()
    expect(cache.size).toBe(2)
  })

  it('say what has to be asked for, in the order it is wanted', () => {
    const cache = new RowCache(10)
    cache.put([jobRow('b')])
    expect(cache.want(['c', 'b', 'a'])).toEqual(['c', 'a'])
    cache.invalidate()
    expect(cache.want(['b'])).toEqual(['b'])
    expect(cache.get('b')).not.toBeNull()
  })
})

describe('a change of a job', () => {
  it('is told to those who show that job, and to nobody else', () => {
    const cache = new RowCache(10)
    cache.put([jobRow('a'), jobRow('b')])
    const told: string[] = []
    cache.listen('a', () => told.push('a'))
    const stop = cache.listen('b', () => told.push('b'))
    cache.update([jobRow('a', { state: 'failed', updatedAtMs: 2 })])
    expect(told).toEqual(['a'])
    expect(cache.get('a')?.state).toBe('failed')
    stop()
    cache.update([jobRow('b', { updatedAtMs: 2 })])
    expect(told).toEqual(['a'])
  })

  it('is not held for a job that nobody has looked at', () => {
    const cache = new RowCache(10)
    cache.update([jobRow('unseen')])
    expect(cache.size).toBe(0)
  })

  it('is not lost to an answer that was on its way before it', () => {
    const cache = new RowCache(10)
    cache.put([jobRow('a', { state: 'ready', updatedAtMs: 1 })])
    cache.update([jobRow('a', { state: 'done', updatedAtMs: 5 })])
    cache.put([jobRow('a', { state: 'sending', updatedAtMs: 3 })])
    expect(cache.get('a')?.state).toBe('done')
  })

  it('counts although the clock was set back', () => {
    const cache = new RowCache(10)
    cache.put([jobRow('a', { state: 'ready', updatedAtMs: 9 })])
    cache.update([jobRow('a', { state: 'done', updatedAtMs: 2 })])
    expect(cache.get('a')?.state).toBe('done')
    cache.put([jobRow('b', { state: 'ready', updatedAtMs: 9 })])
    cache.invalidate()
    cache.put([jobRow('b', { state: 'done', updatedAtMs: 2 })])
    expect(cache.get('b')?.state).toBe('done')
  })
})
