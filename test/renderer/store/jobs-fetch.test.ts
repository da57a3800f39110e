import { describe, expect, it } from 'vitest'
import type { Result } from '../../../src/shared/contract/call.ts'
import type { JobRow } from '../../../src/shared/contract/jobs.ts'
import { RowFetcher } from '../../../src/renderer/store/jobs-fetch.ts'
import { RowCache } from '../../../src/renderer/store/jobs-rows.ts'
import { jobRow } from '../harness/job-row.ts'

class Shell {
  readonly cache = new RowCache(1000)
  readonly asked: { ids: string[]; answer: (result?: Result<{ rows: JobRow[] }>) => Promise<void> }[] = []
  readonly delays: number[] = []
  #timers: (() => void)[] = []
  readonly fetcher = new RowFetcher({
    cache: this.cache,
    ask: (ids) =>
      new Promise((resolve) => {
        const answer = async (result?: Result<{ rows: JobRow[] }>) => {
          resolve(result ?? { ok: true, value: { rows: ids.map((id) => jobRow(id)) } })
          await new Promise((done) => setImmediate(done))
        }
        this.asked.push({ ids, answer })
      }),
    setTimer: (delayMs, run) => {
      this.delays.push(delayMs)
      this.#timers.push(run)
      return () => (this.#timers = this.#timers.filter((other) => other !== run))
    },
  })

  /** Lets every wait be over. */
  wait(): void {
    for (const run of this.#timers.splice(0)) run()
  }
}

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `j${from + n}`)

describe('rows that come into sight', () => {
  it('are asked for once, in portions, two at a time', async () => {
    const shell = new Shell()
    shell.fetcher.want(ids(500))
    shell.wait()
    expect(shell.asked.map(({ ids }) => ids.length)).toEqual([200, 200])
    await shell.asked[0]!.answer()
    expect(shell.asked.map(({ ids }) => ids.length)).toEqual([200, 200, 100])
    for (const one of shell.asked.slice(1)) await one.answer()
    shell.fetcher.want(ids(500))
    shell.wait()
    expect(shell.asked).toHaveLength(3)
  })

  it('do not wait when they are the first of a list, also right after it was opened', () => {
    const shell = new Shell()
    shell.fetcher.invalidate()
    shell.fetcher.want(ids(50))
    expect(shell.delays).toEqual([0])
    shell.wait()
    shell.fetcher.want(ids(50, 50))
    expect(shell.delays[1]).toBeGreaterThan(0)
  })

  it('and go again before they are asked for are left out', () => {
    const shell = new Shell()
    shell.fetcher.want(ids(50))
    shell.fetcher.want(ids(50, 1000))
    shell.wait()
    expect(shell.asked).toHaveLength(1)
    expect(shell.asked[0]!.ids[0]).toBe('j1000')
  })

  it('and are not there any more are not asked for without end', async () => {
    const shell = new Shell()
    shell.fetcher.want(['gone'])
    shell.wait()
    await shell.asked[0]!.answer({ ok: true, value: { rows: [] } })
    shell.fetcher.want(['gone'])
    shell.wait()
    expect(shell.asked).toHaveLength(1)
  })

  it('are asked for again after a failure, and when they may have changed', async () => {
    const shell = new Shell()
    shell.fetcher.want(['a'])
    shell.wait()
    await shell.asked[0]!.answer({ ok: false, error: { code: 'internal', sentence: { raw: 'no' } } })
    shell.wait()
    await shell.asked[1]!.answer()
    expect(shell.cache.get('a')).not.toBeNull()
    shell.fetcher.invalidate()
    shell.wait()
    expect(shell.asked).toHaveLength(3)
  })
})
