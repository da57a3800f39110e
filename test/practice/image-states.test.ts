/** Image service document, "States and transitions". */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scheduleParts } from '../../src/practice/job-schedule.ts'
import { jobStatus } from '../../src/practice/job-view.ts'
import type { PracticeJob } from '../../src/practice/job-view.ts'
import { seededRandom } from '../../src/practice/seeded-random.ts'
import { dispatched, form, picture, poll, practiceForAll, untilEnded } from './harness.ts'
import { ManualClock } from '../watch/manual-clock.ts'

const clock = new ManualClock()
const JOB_MS = 10_000
const jobTime = { kind: 'fixed', ms: JOB_MS } as const
const at = practiceForAll({ jobTime, requestsPerMinute: 100_000, credits: 10_000, seed: 9 }, { clock })

/** Every status that polls see, one after the other, until the job ends. */
async function statusesOf(path: string, body: FormData): Promise<string[]> {
  const id = await dispatched(at.service, path, body)
  const seen: string[] = []
  for (let sinceMs = 0; sinceMs < JOB_MS; sinceMs += 100) {
    const { status } = await poll(at.service, id)
    if (seen.at(-1) !== status) seen.push(status)
    await clock.pass(100)
  }
  seen.push((await untilEnded(at.service, id)).status)
  return seen
}

describe('Status values', () => {
  it('of the full pipeline come in different orders, and end completed', async () => {
    const orders = new Set<string>()
    for (let round = 0; round < 6; round += 1) {
      const seen = await statusesOf('/images/process', form(await picture('jpeg')))
      expect(seen.at(-1)).toBe('completed')
      orders.add(seen.join(' '))
    }
    expect(orders.size).toBeGreaterThan(1)
  })

  it('become failed when the picture cannot be decoded to its end', async () => {
    const whole = await picture('jpeg', 400, 300)
    const cut = whole.subarray(0, Math.floor(whole.length / 2))
    const id = await dispatched(at.service, '/images/optimize', form(cut))
    await clock.pass(JOB_MS)
    const job = await untilEnded(at.service, id)
    expect(job.status).toBe('failed')
    expect(job.image).toMatchObject({ status: 'failed', optimized_size: null })
  })
})

it('Results of the optimization can be had before the other jobs of the pipeline have ended', async () => {
  const early = await (async () => {
    for (let round = 0; round < 40; round += 1) {
      const id = await dispatched(at.service, '/images/process', form(await picture('jpeg')))
      for (let sinceMs = 0; sinceMs < JOB_MS; sinceMs += 500) {
        const job = await poll(at.service, id)
        if (job.status !== 'completed' && job.image.optimized_size !== null) return job
        await clock.pass(500)
      }
    }
    return null
  })()
  expect(early).not.toBeNull()
  expect((await at.service.raw(`/images/${early?.image.id}/optimized`)).status).toBe(200)
})

describe('The schedule of a job', () => {
  const operations = fc.constantFrom('process', 'analyze', 'optimize', 'convert')

  it('never leaves a terminal status', () => {
    const work = fc.constantFrom('done', 'failed')
    fc.assert(
      fc.property(
        operations,
        fc.integer(),
        fc.array(work, { minLength: 3, maxLength: 3 }),
        (operation, seed, works) => {
          const parts = scheduleParts(operation, 1000, seededRandom(seed)).map((times, index) => ({
            ...times,
            work:
              works[index] === 'failed'
                ? ({ state: 'failed' } as const)
                : ({ state: 'done', result: { kind: 'convert', sizeBytes: 1 } } as const),
          }))
          const job = { parts, dispatchedAtMs: 0, failsAtMs: null } as unknown as PracticeJob
          let ended: string | null = null
          for (let nowMs = 0; nowMs <= 1100; nowMs += 20) {
            const status = jobStatus(job, nowMs)
            if (ended !== null) expect(status).toBe(ended)
            if (status === 'completed' || status === 'failed') ended = status
          }
          expect(ended).toBe(works.slice(0, parts.length).includes('failed') ? 'failed' : 'completed')
        },
      ),
    )
  })
})
