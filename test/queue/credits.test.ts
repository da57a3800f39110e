import { beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import { nextSteps } from '../../src/main/core/next-steps.ts'
import { recover } from '../../src/main/queue/recovery.ts'
import { statusAnswer } from '../simulation/simulated-service.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'
import type { QueueBench } from './queue-bench.ts'
import { raw, say } from '../../src/shared/sentences/sentence.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

makeBenchForEachTest()
beforeEach(() => {
  bench.service.cost = { dispatch: 3, pipeline: 3 }
  bench.service.credits = 0
})

const inState = (jobs: readonly Job[], state: Job['state']) =>
  jobs.filter((job) => bench.get(job).state === state).length

type Added = Parameters<QueueBench['add']>[2]

async function addAll(count: number, more: Added = {}): Promise<Job[]> {
  const jobs: Job[] = []
  for (let n = 0; n < count; n += 1) jobs.push(await bench.add(`${n}`, `${n}`, more))
  return jobs
}

/** Adds pictures and runs until the service has said that the credits do not suffice. */
async function heldForCredits(count: number, more: Added = {}): Promise<Job[]> {
  const jobs = await addAll(count, more)
  await bench.run(10 * SECOND)
  expect(bench.lane.hold?.code).toBe('credits_short')
  expect(inState(jobs, 'held')).toBe(jobs.length)
  bench.service.refused402 = 0
  return jobs
}

/** A person tops up the account and asks for the balance. */
async function topUp(credits: number): Promise<void> {
  bench.service.credits += credits
  bench.lane.noteBalance(bench.service.credits)
  await bench.clock.advance(5 * SECOND)
}

describe('A balance that is higher than it was', () => {
  it('lets as many continue as it covers, and the rest stays held', async () => {
    const jobs = await heldForCredits(12)
    await topUp(14)
    await bench.clock.advance(4 * MINUTE)
    expect(inState(jobs, 'done')).toBe(4)
    expect(inState(jobs, 'held')).toBe(8)
    expect(bench.service.refused402).toBe(0)
    expect(bench.service.credits).toBe(2)
    expect(bench.lane.hold).toMatchObject({ code: 'credits_short', detail: say('credits_missing', { credits: 1 }) })
    // The balance that people see is the one that is left.
    expect(bench.balances.at(-1)).toBe(2)
    await topUp(3)
    await bench.clock.advance(4 * MINUTE)
    expect(inState(jobs, 'done')).toBe(5)
    expect(bench.service.refused402).toBe(0)
  })

  it('changes nothing when it covers no picture', async () => {
    const jobs = await heldForCredits(3)
    await topUp(2)
    expect(inState(jobs, 'held')).toBe(3)
    expect(bench.lane.hold?.code).toBe('credits_short')
    const before = bench.lane.slots.requests
    bench.lane.noteBalance(2)
    await bench.clock.advance(2 * MINUTE)
    expect(bench.lane.slots.requests).toBe(before)
    expect(bench.service.charges).toEqual([])
  })

  it('is not exceeded by pictures that come while it is spent', async () => {
    const jobs = await heldForCredits(4)
    await topUp(9)
    const more = [await bench.add('late 1'), await bench.add('late 2'), await bench.add('late 3')]
    await bench.clock.advance(4 * MINUTE)
    expect(inState([...jobs, ...more], 'done')).toBe(3)
    expect(inState([...jobs, ...more], 'held')).toBe(4)
    expect(bench.service.refused402).toBe(0)
  })

  it('is not missed when it is heard while the service’s answer with the old one is under way', async () => {
    const jobs = await heldForCredits(3)
    const { service, clock, lane } = bench
    const fine = service.balance.bind(service)
    const late = Promise.withResolvers<void>()
    service.balance = async (call) => {
      const answer = await fine(call)
      await late.promise
      return answer
    }
    const before = lane.slots.requests
    await clock.advance(6 * MINUTE)
    expect(lane.slots.requests).toBe(before + 1)
    service.balance = fine
    service.credits = 500
    lane.noteBalance(500)
    late.resolve()
    await clock.advance(5 * SECOND)
    expect(lane.hold).toBeNull()
    expect(inState(jobs, 'held')).toBe(0)
  })

  it('lets pictures continue within seconds when the question for their price was not answered at first', async () => {
    const jobs = await heldForCredits(3)
    // Its price was never asked for.
    jobs.push(await bench.add('other', 'other', { recipe: { languages: ['en', 'de', 'fr'] } }))
    await bench.clock.advance(SECOND)
    const fine = bench.service.afford.bind(bench.service)
    bench.service.afford = async (question, call) => {
      bench.service.afford = fine
      await fine(question, call)
      return statusAnswer(503)
    }
    await topUp(500)
    expect(inState(jobs, 'held')).toBe(4)
    await bench.clock.advance(30 * SECOND)
    expect(bench.lane.hold).toBeNull()
    expect(inState(jobs, 'held')).toBe(0)
  })
})

it('Where the price is an upper bound, one picture is tried, and the balance after it tells how many more', async () => {
  bench.service.cost = { dispatch: 1, pipeline: 3 }
  const jobs = await heldForCredits(6, { recipe: { operation: 'optimize' } })
  await topUp(2)
  await bench.clock.advance(30 * SECOND)
  expect(bench.service.charges.length).toBeGreaterThanOrEqual(1)
  expect(bench.service.refused402).toBe(0)
  await bench.clock.advance(15 * MINUTE)
  expect(bench.service.charges).toHaveLength(2)
  expect(bench.service.refused402).toBeLessThanOrEqual(1)
  await topUp(100)
  await bench.clock.advance(15 * MINUTE)
  expect(inState(jobs, 'done')).toBe(6)
})

describe('A picture that is refused for lack of credits although the service says they suffice', () => {
  const REFUSED = { code: 'credits_refused', detail: raw('402: no credits') }

  /** One that costs more than the service says, and more than there is. */
  function addDear(): Promise<Job> {
    bench.service.cost = { dispatch: 5, pipeline: 3 }
    bench.service.credits = 4
    return bench.add('dear')
  }

  it('waits, is tried again, and is sent once the service takes it', async () => {
    const job = await addDear()
    await bench.run(MINUTE)
    expect(bench.get(job)).toMatchObject({ state: 'held', resume: 'ready', reason: REFUSED })
    bench.service.cost.dispatch = 3
    await bench.clock.advance(7 * MINUTE)
    expect(bench.get(job)).toMatchObject({ state: 'done' })
    expect(bench.service.charges).toHaveLength(1)
    expect(bench.service.refused402).toBe(1)
  })

  it('is tried three times in all, then fails with the reason, and a person can try it again', async () => {
    const job = await addDear()
    await bench.run(24 * 60 * MINUTE)
    expect(bench.service.refused402).toBe(3)
    const failed = bench.get(job)
    expect(failed).toMatchObject({
      state: 'failed',
      reason: { code: 'rejected_by_service', detail: raw('402: no credits') },
    })
    expect(nextSteps(failed)).toContain('retry')
    bench.service.credits = 5
    bench.store.apply(job.id, { type: 'retry' })
    await bench.clock.advance(5 * MINUTE)
    expect(bench.get(job).state).toBe('done')
    expect(bench.service.charges).toHaveLength(1)
  })

  it('keeps no other picture waiting, and continues at once when a person retries it', async () => {
    const dispatch = bench.service.dispatch.bind(bench.service)
    bench.service.credits = 100
    let isDear = true
    const dear = await bench.add('dear')
    bench.service.dispatch = (request, options) => {
      if (isDear && Buffer.from(request.bytes).includes('dear')) bench.service.cost.dispatch = 1000
      else bench.service.cost.dispatch = 3
      return dispatch(request, options)
    }
    await bench.run(30 * SECOND)
    const others = await addAll(4)
    await bench.clock.advance(2 * MINUTE)
    expect(inState(others, 'done')).toBe(4)
    expect(bench.get(dear)).toMatchObject({ state: 'held', reason: REFUSED })
    isDear = false
    bench.store.apply(dear.id, { type: 'retry' })
    await bench.clock.advance(2 * MINUTE)
    expect(bench.get(dear).state).toBe('done')
  })

  it('counts its tries across a restart', async () => {
    const job = await addDear()
    await bench.run(MINUTE)
    recover(bench.context)
    expect(bench.get(job).attempts).toBe(1)
  })
})
