import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** More than may be sent without a question. */
const MANY = 105

makeBenchForEachTest()

async function addAll(count: number, order: { batchId: string; force?: boolean }): Promise<Job[]> {
  const jobs: Job[] = []
  for (let n = 0; n < count; n += 1) jobs.push(await bench.add(`${n}`, `${n}`, order))
  return jobs
}

describe('a batch', () => {
  it('that waits for what its first picture costs does not stand before others', async () => {
    bench.batch('limited', { maxCredits: 1000, creditsPerImage: 1 })
    await addAll(30, { batchId: 'limited' })
    const poll = bench.service.job.bind(bench.service)
    bench.service.job = async (id, options) => {
      const answer = await poll(id, options)
      if (id !== 'R1' || answer.kind !== 'ok') return answer
      return { ...answer, value: { ...answer.value, status: 'optimizing', image: null } }
    }
    await bench.run(5000)
    const other = await bench.add('other')
    await bench.clock.advance(HOUR)
    expect(bench.get(other).state).toBe('done')
    expect(bench.service.charges).toHaveLength(2)
  })

  it('that repeats what was paid, within a limit in credits, is sent whole without being read over and over', async () => {
    bench.batch('first')
    await addAll(MANY, { batchId: 'first' })
    await bench.run(HOUR)
    bench.batch('again', { confirmed: false, maxCredits: 100_000, creditsPerImage: 4 })
    await addAll(MANY, { batchId: 'again', force: true })
    const read = bench.files.readSource.bind(bench.files)
    let reads = 0
    bench.files.readSource = (...given) => {
      reads += 1
      return read(...given)
    }
    await bench.clock.advance(HOUR)
    expect(bench.store.count().done).toBe(2 * MANY)
    // When it is sent and when its results are written, and for some once more.
    expect(reads).toBeLessThan(4 * MANY)
  })

  it('that is held stays so when one of its pictures is cancelled and retried', async () => {
    bench.batch('burst', { confirmed: false })
    const [first] = await addAll(MANY, { batchId: 'burst' })
    await bench.run(MINUTE)
    for (const type of ['cancel', 'retry'] as const) bench.store.apply(first!.id, { type })
    const events = () => bench.db.prepare('SELECT count(*) FROM job_events').pluck().get()
    await bench.clock.advance(MINUTE)
    const before = events()
    await bench.clock.advance(HOUR)
    expect(events()).toBe(before)
    expect(bench.store.count().held).toBe(MANY)
  })
})
