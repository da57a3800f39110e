import { describe, expect, it } from 'vitest'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import { nextSteps } from '../../src/main/core/next-steps.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'
import { refusing } from './queue-bench.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

makeBenchForEachTest()

/** One picture is done; after this long its content comes again under another name, and the service has forgotten it. */
async function comesAgain(afterMs: number) {
  await bench.add('1', 'same')
  await bench.run(5 * MINUTE)
  await bench.clock.advance(afterMs)
  bench.service.forget()
  const calls = bench.service.countedAtMs.length
  const job = await bench.add('2', 'same')
  return { job, calls: () => bench.service.countedAtMs.length - calls }
}

describe('a result that the service no longer has', () => {
  it('is said at once when it is from before, with what sending again costs', async () => {
    bench.service.cost.pipeline = 4
    const { job, calls } = await comesAgain(30 * MINUTE)
    await bench.clock.advance(30 * SECOND)
    const { state, reason } = bench.get(job)
    expect([state, reason?.code, englishText(reason!.detail!)]).toEqual([
      'failed',
      'download_gone',
      'credits to send it again: at most 4',
    ])
    expect(calls()).toBeLessThanOrEqual(3)
    expect(nextSteps(bench.get(job))).toContain('retry')
    expect(bench.service.charges).toHaveLength(1)
    bench.store.apply(job.id, { type: 'retry' })
    await bench.clock.advance(5 * MINUTE)
    expect(bench.get(job).state).toBe('done')
    expect(bench.service.charges).toHaveLength(2)
  })

  it('is not used when sending again, which a person asked for, is refused at first', async () => {
    const { job } = await comesAgain(30 * MINUTE)
    await bench.clock.advance(30 * SECOND)
    const dispatch = bench.service.dispatch.bind(bench.service)
    bench.service.dispatch = refusing(429, () => undefined)
    bench.store.apply(job.id, { type: 'retry' })
    await bench.clock.advance(2 * SECOND)
    bench.service.dispatch = dispatch
    await bench.clock.advance(20 * MINUTE)
    expect(bench.get(job).state).toBe('done')
    expect(bench.service.charges).toHaveLength(2)
  })

  it('is not waited for once more when a person fetches it again', async () => {
    const { job } = await comesAgain(30 * MINUTE)
    await bench.clock.advance(30 * SECOND)
    bench.store.apply(job.id, { type: 'fetchAgain' })
    await bench.clock.advance(30 * SECOND)
    expect(bench.get(job)).toMatchObject({ state: 'failed', reason: { code: 'download_gone' } })
  })

  it('is waited for when it is so young that its file may only be late', async () => {
    const { job } = await comesAgain(0)
    await bench.clock.advance(30 * SECOND)
    expect(bench.get(job)).toMatchObject({ state: 'fetching', reason: { detail: { code: 'not_there_yet' } } })
  })
})
