import { describe, expect, it } from 'vitest'
import type { Result } from '../../../src/shared/contract/call.ts'
import type { JobRow } from '../../../src/shared/contract/jobs.ts'
import { JobRows } from '../../../src/renderer/store/jobs-rows.ts'
import { jobRow } from '../harness/job-row.ts'

type Answer = Result<{ rows: JobRow[] }>
const found = (...rows: JobRow[]): Answer => ({ ok: true, value: { rows } })

class Shell {
  readonly asked: { ids: string[]; answer: (result?: Answer) => Promise<void> }[] = []
  readonly delays: number[] = []
  readonly rows: JobRows
  #timers: (() => void)[] = []

  constructor(most?: number) {
    this.rows = new JobRows(
      {
        ask: (ids) =>
          new Promise((resolve) => {
            const answer = async (result = found(...ids.map((id) => jobRow(id)))) => {
              resolve(result)
              await new Promise((done) => setImmediate(done))
            }
            this.asked.push({ ids, answer })
          }),
        setTimer: (delayMs, run) => {
          this.delays.push(delayMs)
          this.#timers.push(run)
          return () => (this.#timers = this.#timers.filter((other) => other !== run))
        },
      },
      most,
    )
  }

  /** Lets every wait be over. */
  wait(): void {
    for (const run of this.#timers.splice(0)) run()
  }

  want(ids: string[]): void {
    this.rows.want(ids)
    this.wait()
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

describe('rows that come into sight', () => {
  it('are asked for once, in portions, two at a time', async () => {
    const shell = new Shell()
    shell.want(ids(500))
    expect(shell.asked.map(({ ids }) => ids.length)).toEqual([200, 200])
    await shell.asked[0]!.answer()
    expect(shell.asked.map(({ ids }) => ids.length)).toEqual([200, 200, 100])
    for (const one of shell.asked.slice(1)) await one.answer()
    shell.want(ids(500))
    expect(shell.asked).toHaveLength(3)
  })

  it('do not wait when they are the first of a list, also right after it was opened', () => {
    const shell = new Shell()
    shell.rows.invalidate()
    shell.rows.want(ids(50))
    expect(shell.delays).toEqual([0])
    shell.wait()
    shell.rows.want(ids(50, 50))
    expect(shell.delays[1]).toBeGreaterThan(0)
  })

  it('and go again before they are asked for are left out', () => {
    const shell = new Shell()
    shell.rows.want(ids(50))
    shell.want(ids(50, 1000))
    expect(shell.asked).toHaveLength(1)
    expect(shell.asked[0]!.ids[0]).toBe('j1000')
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
    shell.wait()
    await shell.asked[1]!.answer()
    shell.rows.invalidate()
    shell.wait()
    expect(shell.asked.map(({ ids }) => ids)).toEqual([
      ['c', 'a'],
      ['c', 'a'],
      ['c', 'a'],
    ])
    expect(shell.held('a')).toEqual(['a'])
  })
})

describe('the rows that are held', () => {
  it('are no more than the limit, and those go first that were not wanted for longest', async () => {
    const shell = new Shell(3)
    await shell.fetch(...ids(3).map((id) => jobRow(id)))
    shell.want(['j0'])
    await shell.fetch(jobRow('j3'))
    expect(shell.held(...ids(4))).toEqual(['j0', 'j2', 'j3'])
  })

  it('are never taken away while they are on the screen', async () => {
    const shell = new Shell(2)
    await shell.fetch(jobRow('seen'))
    const stop = shell.rows.listen('seen', () => undefined)
    await shell.fetch(...ids(5).map((id) => jobRow(id)))
    expect(shell.held('seen', ...ids(5))).toEqual(['seen', 'j4'])
    stop()
    await shell.fetch(jobRow('more'))
    expect(shell.held('seen', 'more', ...ids(5))).toEqual(['more', 'j4'])
  })
})

describe('a change of a job', () => {
  it('is told to those who show that job, and to nobody else', async () => {
    const { rows } = await withRows(jobRow('a'), jobRow('b'))
    const told: string[] = []
    rows.listen('a', () => told.push('a'))
    const stop = rows.listen('b', () => told.push('b'))
    rows.update([jobRow('a', { state: 'failed', updatedAtMs: 2 })])
    expect(told).toEqual(['a'])
    expect(rows.get('a')?.state).toBe('failed')
    stop()
    rows.update([jobRow('b', { updatedAtMs: 2 })])
    expect(told).toEqual(['a'])
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

async function withRows(...rows: JobRow[]): Promise<Shell> {
  const shell = new Shell()
  await shell.fetch(...rows)
  return shell
}
