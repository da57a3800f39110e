import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DurationModel } from '../../src/main/core/duration-model.ts'
import { planCalls, type PlannerInput, type WaitingJob } from '../../src/main/core/poll-planner.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const NOW = 100 * MINUTE

function waiting(jobId: string, ageMs: number, more: Partial<WaitingJob> = {}): WaitingJob {
  const asked = { lastPollAtMs: null, polling: false, notBeforeMs: null }
  return { jobId, operation: 'process', acceptedAtMs: NOW - ageMs, needsDownload: true, ...asked, ...more }
}

function input(more: Partial<PlannerInput> = {}): PlannerInput {
  const sendingCount = more.sendingCount ?? 0
  return {
    nowMs: NOW,
    slotTimesMs: Array<number>(60).fill(NOW),
    readyCount: 0,
    readyCalls: Array<number>(more.readyCount ?? 0).fill(3),
    sendingCount,
    sendingCalls: 2 * sendingCount,
    maxSending: 4,
    nextDispatchAtMs: null,
    downloads: [],
    waiting: [],
    ...more,
  }
}

/** Has seen many jobs of about eight seconds. */
function learnedModel(): DurationModel {
  const model = new DurationModel()
  for (let job = 0; job < 60; job += 1)
    model.observe('process', { notDoneAtAgeMs: 5500 + 100 * (job % 40), doneAtAgeMs: 6000 + 100 * (job % 40) })
  return model
}

const plannedKinds = (more: Partial<PlannerInput>, model = learnedModel()): string[] =>
  planCalls(input(more), model).calls.map((call) => call.kind)

describe('planCalls', () => {
  it('has nothing to do and nothing to wait for without work', () => {
    expect(planCalls(input(), learnedModel())).toEqual({ calls: [], wakeAtMs: null, nextDispatchAtMs: null })
  })

  it('dispatches what is ready, at most four at a time', () => {
    expect(plannedKinds({ readyCount: 10 })).toEqual(['dispatch', 'dispatch', 'dispatch', 'dispatch'])
    expect(plannedKinds({ readyCount: 10, sendingCount: 3 })).toEqual(['dispatch'])
    expect(plannedKinds({ readyCount: 10, sendingCount: 4 })).toEqual([])
  })

  it('spends scarce slots on downloads first, then due polls, then dispatches', () => {
    const slotTimesMs = [NOW, NOW, NOW, ...Array<number>(57).fill(NOW + 30 * SECOND)]
    const busy = { slotTimesMs, readyCount: 500, downloads: ['a'], waiting: [waiting('b', 60 * SECOND)] }
    expect(plannedKinds(busy)).toEqual(['download', 'poll', 'dispatch'])
  })

  it('without a slot plans nothing and wakes when one comes free', () => {
    const plan = planCalls(input({ slotTimesMs: [NOW + 700, NOW + 900], readyCount: 3 }), learnedModel())
    expect(plan).toMatchObject({ calls: [], wakeAtMs: NOW + 700 })
  })

  it('polls a lone image early and often, a job in a backlog once it has almost surely ended', () => {
    const job = waiting('lone', 8 * SECOND, { lastPollAtMs: NOW - SECOND })
    expect(plannedKinds({ waiting: [job] })).toEqual(['poll'])
    const others = Array.from({ length: 10 }, (_, index) => waiting(`job-${index}`, 7 * SECOND))
    const polls = plannedKinds({ waiting: [job, ...others], readyCount: 500 }).filter((kind) => kind === 'poll')
    expect(polls.length).toBeLessThanOrEqual(1)
    const late = others.map((each) => ({ ...each, acceptedAtMs: NOW - 20 * SECOND }))
    expect(plannedKinds({ waiting: late, readyCount: 500 }).filter((kind) => kind === 'poll')).toHaveLength(10)
  })

  it('does not poll a job twice at once, nor before its backoff is over', () => {
    expect(plannedKinds({ waiting: [waiting('a', MINUTE, { polling: true })] })).toEqual([])
    const plan = planCalls(input({ waiting: [waiting('a', MINUTE, { notBeforeMs: NOW + 5000 })] }), learnedModel())
    expect(plan.calls).toEqual([])
    expect(plan.wakeAtMs).not.toBeNull()
  })

  it('polls a job that does not end every ten minutes only', () => {
    const stalled = (sincePollMs: number): string[] =>
      plannedKinds({ waiting: [waiting('a', 40 * MINUTE, { lastPollAtMs: NOW - sincePollMs })] })
    expect(stalled(9 * MINUTE)).toEqual([])
    expect(stalled(10 * MINUTE)).toEqual(['poll'])
  })

  it('polls within half an hour even where jobs are known to take longer than the model can tell', () => {
    const model = new DurationModel()
    for (let job = 0; job < 40; job += 1)
      model.observe('process', { notDoneAtAgeMs: 180 * MINUTE, doneAtAgeMs: 200 * MINUTE })
    const jobs = ['a', 'b', 'c'].map((jobId) => waiting(jobId, 29 * MINUTE))
    const { wakeAtMs } = planCalls(input({ waiting: jobs, readyCount: 500, sendingCount: 4 }), model)
    expect(wakeAtMs).toBeLessThanOrEqual(NOW + 6 * MINUTE)
  })

  it('keeps dispatching while jobs hang at the service, up to a thousand', () => {
    const hung = (count: number): WaitingJob[] =>
      Array.from({ length: count }, (_, index) => waiting(`hung-${index}`, 10 * MINUTE, { lastPollAtMs: NOW - SECOND }))
    expect(plannedKinds({ waiting: hung(300), readyCount: 50 })).toContain('dispatch')
    expect(plannedKinds({ waiting: hung(1000), readyCount: 50 })).not.toContain('dispatch')
  })

  it('spends at most a tenth of the budget on stalled jobs, however many there are', () => {
    const stalled = Array.from({ length: 600 }, (_, index) =>
      waiting(`stalled-${index}`, 60 * MINUTE, { lastPollAtMs: NOW - index * 10 * SECOND }),
    )
    // 600 jobs at six polls a minute: each comes round every 100 minutes, and these were all polled in the last hundred.
    const kinds = plannedKinds({ waiting: stalled, readyCount: 50, nextDispatchAtMs: NOW - MINUTE })
    expect(kinds).toEqual(['dispatch', 'dispatch', 'dispatch', 'dispatch'])
  })

  it('sends a backlog at the pace at which the budget finishes it', () => {
    const backlog = { readyCount: 500, maxSending: 500 }
    const first = planCalls(input(backlog), learnedModel())
    // 3.025 s each at 60 calls a minute, 24 s in advance.
    expect(first.calls).toHaveLength(8)
    expect(first.nextDispatchAtMs).toBe(NOW - 24 * SECOND + 8 * 3025)
    const { nextDispatchAtMs } = first
    const next = planCalls(input({ ...backlog, nextDispatchAtMs }), learnedModel())
    expect(next).toEqual({ calls: [], wakeAtMs: nextDispatchAtMs, nextDispatchAtMs })
  })

  it('sends what one minute can finish without a pace', () => {
    expect(plannedKinds({ readyCount: 20, nextDispatchAtMs: NOW + 2000 })).toHaveLength(4)
    expect(plannedKinds({ readyCount: 21, nextDispatchAtMs: NOW + 2000 })).toEqual([])
  })

  it('takes pictures that come one by one, each sent before the next is there, for the backlog that they are', () => {
    const model = new DurationModel()
    const sent: WaitingJob[] = []
    let nextDispatchAtMs: number | null = null
    for (let n = 0; n < 100; n += 1) {
      const free = Array<number>(60 - sent.length).fill(NOW)
      const slotTimesMs = [...free, ...Array<number>(sent.length).fill(NOW + MINUTE)]
      const plan = planCalls(input({ readyCount: 1, slotTimesMs, waiting: sent, nextDispatchAtMs }), model)
      nextDispatchAtMs = plan.nextDispatchAtMs
      if (plan.calls.some(({ kind }) => kind === 'dispatch')) sent.push(waiting(`job-${n}`, 0))
      else expect(plan.wakeAtMs).toBeLessThanOrEqual(NOW + 3025)
    }
    expect(sent.length).toBeLessThanOrEqual(21)
  })

  it('lets one job scout while nothing is known, instead of polling them all', () => {
    const jobs = Array.from({ length: 15 }, (_, index) => waiting(`job-${index}`, 2 * SECOND))
    const { calls } = planCalls(input({ waiting: jobs, slotTimesMs: Array<number>(43).fill(NOW) }), new DurationModel())
    expect(calls).toEqual([{ kind: 'poll', jobId: 'job-0' }])
  })

  it('plans for any input no more than the free slots, never the same job twice, and always says when to look again', () => {
    const job = fc.record({
      jobId: fc.uuid(),
      operation: fc.constantFrom('process', 'analyze'),
      acceptedAtMs: fc.integer({ min: NOW - 40 * MINUTE, max: NOW }),
      lastPollAtMs: fc.option(fc.integer({ min: NOW - 20 * MINUTE, max: NOW })),
      needsDownload: fc.boolean(),
      polling: fc.boolean(),
      notBeforeMs: fc.constant(null),
    })
    const anyInput = fc.record({
      nowMs: fc.constant(NOW),
      slotTimesMs: fc
        .array(fc.integer({ min: NOW - 1000, max: NOW + 61_000 }), { minLength: 1, maxLength: 60 })
        .map((times) => times.sort((a, b) => a - b)),
      readyCount: fc.integer({ min: 0, max: 1000 }),
      readyCalls: fc.array(fc.constantFrom(2, 3), { maxLength: 24 }),
      sendingCount: fc.integer({ min: 0, max: 4 }),
      sendingCalls: fc.integer({ min: 0, max: 8 }),
      maxSending: fc.constant(4),
      nextDispatchAtMs: fc.option(fc.integer({ min: NOW - 20 * MINUTE, max: NOW + 20 * MINUTE })),
      downloads: fc.uniqueArray(fc.uuid(), { maxLength: 5 }),
      waiting: fc.uniqueArray(job, { maxLength: 40, selector: (each) => each.jobId }),
    })
    fc.assert(
      fc.property(anyInput, fc.boolean(), (any, learned) => {
        const { calls, wakeAtMs } = planCalls(any, learned ? learnedModel() : new DurationModel())
        expect(calls.length).toBeLessThanOrEqual(any.slotTimesMs.filter((timeMs) => timeMs <= NOW).length)
        const named = calls.flatMap((call) => (call.kind === 'dispatch' ? [] : [call.jobId]))
        expect(new Set(named).size).toBe(named.length)
        const leftAlone = any.waiting.filter((each) => !each.polling && !named.includes(each.jobId))
        const slotLeft = any.slotTimesMs.length > calls.length
        if (leftAlone.length > 0 && slotLeft) expect(wakeAtMs).toBeGreaterThan(NOW)
      }),
      { numRuns: 500 },
    )
  })
})
