import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Result } from '../../../src/shared/contract/call.ts'
import type { JobRow } from '../../../src/shared/contract/jobs.ts'
import { JobRows } from '../../../src/renderer/store/jobs-rows.ts'
import { jobRow } from '../harness/job-row.ts'

type Answer = Result<{ rows: JobRow[] }>
const found = (...rows: JobRow[]): Answer => ({ ok: true, value: { rows } })
const A_WHILE_MS = 3000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

class Shell {
  readonly asked: { ids: string[]; answer: (result?: Answer) => Promise<unknown> }[] = []
  readonly rows = new JobRows((ids) => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const answer = (result = found(...ids.map((id) => jobRow(id)))) => {
      resolve(result)
      return vi.advanceTimersByTimeAsync(0)
    }
    this.asked.push({ ids, answer })
    return promise
  })

  want(ids: string[]): void {
    this.rows.want(ids)
    vi.advanceTimersByTime(A_WHILE_MS)
  }

  async fetch(...rows: JobRow[]): Promise<void> {
    const fetched = this.rows.fetch(rows.map(({ id }) => id))
    await this.asked.at(-1)!.answer(found(...rows))
    await fetched
  }

  held(...all: string[]): string[] {
    return all.filter((id) => this.rows.get(id) !== null)
  }
}

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `j${from + n}`)

async function withRows(...rows: JobRow[]): Promise<Shell> {
  const shell = new Shell()
  await shell.fetch(...rows)
  return shell
}

describe('rows that come into sight', () => {
  it('are asked for once, in portions', async () => {
    const shell = new Shell()
    shell.want(ids(500))
    for (const n of [0, 1, 2]) await shell.asked[n]!.answer()
    expect(shell.asked.map(({ ids }) => ids.length)).toEqual([200, 200, 100])
    shell.want(ids(500))
    expect(shell.asked).toHaveLength(3)
  })

  it('and go again before they are asked for are left out, but for the first of a list, which do not wait', () => {
    const shell = new Shell()
    shell.rows.want(ids(50))
    vi.advanceTimersByTime(0)
    expect(shell.asked).toHaveLength(1)
    const later = new Shell()
    later.rows.want(ids(50))
    later.want(ids(50, 1000))
    expect(later.asked.map(({ ids }) => ids[0])).toEqual(['j1000'])
  })

  it('and are not there any more are not asked for without end', async () => {
    const shell = new Shell()
    shell.want(['gone'])
    await shell.asked[0]!.answer(found())
    shell.want(['gone'])
    expect(shell.asked).toHaveLength(1)
  })

  it('are asked for again after a failure, and when they may have changed, and shown meanwhile', async () => {
    const shell = new Shell()
    shell.want(['c', 'a'])
    await shell.asked[0]!.answer({ ok: false, error: { code: 'internal', sentence: { raw: 'no' } } })
    expect(shell.asked).toHaveLength(1)
    vi.advanceTimersByTime(A_WHILE_MS)
    await shell.asked[1]!.answer()
    shell.rows.invalidate()
    vi.advanceTimersByTime(A_WHILE_MS)
    expect(shell.asked.map(({ ids }) => ids.join())).toEqual(['c,a', 'c,a', 'c,a'])
    expect(shell.held('a')).toEqual(['a'])
  })
})

it('No more rows are held than the limit: those go first that were not wanted for longest, and never one on the screen', async () => {
  const shell = await withRows(jobRow('seen'), ...ids(2999).map((id) => jobRow(id)))
  const stop = shell.rows.listen('seen', () => undefined)
  shell.want(['j0'])
  await shell.fetch(jobRow('more'))
  expect(shell.held('seen', 'j0', 'j1', 'j2', 'more')).toEqual(['seen', 'j0', 'j2', 'more'])
  stop()
  await shell.fetch(jobRow('last'))
  expect(shell.held('seen', 'j0', 'j2', 'last')).toEqual(['j0', 'j2', 'last'])
})

describe('a change of a job', () => {
  it('is told to those who show that job, and to nobody else', async () => {
    const { rows } = await withRows(jobRow('a'), jobRow('b'))
    const told: string[] = []
    rows.listen('a', () => told.push('a'))
    const stop = rows.listen('b', () => told.push('b'))
    rows.update([jobRow('a', { state: 'failed', updatedAtMs: 2 })])
    stop()
    rows.update([jobRow('b', { updatedAtMs: 2 })])
    expect(told).toEqual(['a'])
    expect(rows.get('a')?.state).toBe('failed')
  })

  it('is not held for a job that nobody has looked at', () => {
    const { rows } = new Shell()
    rows.update([jobRow('unseen')])
    expect(rows.get('unseen')).toBeNull()
  })

  it('is not lost to an answer that was on its way before it', async () => {
    const shell = await withRows(jobRow('a', { state: 'ready', updatedAtMs: 1 }))
    shell.rows.update([jobRow('a', { state: 'done', updatedAtMs: 5 })])
    await shell.fetch(jobRow('a', { state: 'sending', updatedAtMs: 3 }))
    expect(shell.rows.get('a')?.state).toBe('done')
  })

  it('counts although the clock was set back', async () => {
    const old = { state: 'ready', updatedAtMs: 9 } as const
    const shell = await withRows(jobRow('a', old), jobRow('b', old))
    shell.rows.update([jobRow('a', { state: 'done', updatedAtMs: 2 })])
    expect(shell.rows.get('a')?.state).toBe('done')
    shell.rows.invalidate()
    await shell.fetch(jobRow('b', { state: 'done', updatedAtMs: 2 }))
    expect(shell.rows.get('b')?.state).toBe('done')
  })
})
