import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import type { CallsDeps } from '../../src/main/engine/calls/call-deps.ts'
import { jobCalls } from '../../src/main/engine/calls/job-calls.ts'
import { keepStop } from '../../src/main/journal/credit-limits.ts'
import { findPayment } from '../../src/main/journal/payments.ts'
import { heldBatches } from '../../src/main/queue/spend.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import { raw } from '../../src/shared/sentences/sentence.ts'
import { Settings } from '../../src/shared/settings/settings.ts'
import { statusAnswer } from '../simulation/simulated-service.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'
import { SERVICE } from './make-job.ts'

const MINUTE = 60_000

makeBenchForEachTest()

/** A person cancels it: the real handler, which needs no more of the engine than this. */
function cancel(job: Job): unknown {
  const { context, runner } = bench
  return jobCalls({ context, runner } as CallsDeps)['jobs.cancel']({ ids: [job.id], all: false })
}

/** The next `count` dispatches are charged and their answers lost; the ones after that go well. */
function loseAnswers(count: number): void {
  const dispatch = bench.service.dispatch.bind(bench.service)
  let left = count
  bench.service.dispatch = async (request, options) => {
    const answer = await dispatch(request, options)
    if (left === 0) return answer
    left -= 1
    return { kind: 'maybeSent', error: { code: 'reset', message: '' } }
  }
}

it.each([302, 303, 406, 408, 409, 425, 499, 502, 504])(
  'a status that does not prove a refusal %i, after the charge, leaves a doubt',
  async (code) => {
    const dispatch = bench.service.dispatch.bind(bench.service)
    bench.service.dispatch = async (request, options) => {
      const answer = await dispatch(request, options)
      return answer.kind === 'ok' ? statusAnswer(code) : answer
    }
    const job = await bench.add('1')
    await bench.run(30 * MINUTE)
    expect(bench.get(job).state).toBe('unknown')
    expect(findPayment(bench.db, job.paidKey!)).toMatchObject({ state: 'unknown' })
    // The same content under another name is not sent either.
    await bench.add('2', '1')
    await bench.clock.advance(30 * MINUTE)
    expect(bench.service.charges).toHaveLength(1)
  },
)

it('a picture of a cancelled batch that the service refused for the moment is not sent again', async () => {
  const dispatch = bench.service.dispatch.bind(bench.service)
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  bench.service.dispatch = async (_, { slot }) => {
    await answered
    slot.rateLimited(5000)
    return statusAnswer(429)
  }
  const job = await bench.add('1')
  await bench.run(2000)
  expect(bench.get(job).state).toBe('sending')
  bench.context.cancelledBatches.add(job.batchId)
  bench.service.dispatch = dispatch
  resolve()
  await bench.clock.advance(5 * MINUTE)
  expect(bench.get(job).state).toBe('cancelled')
  expect(bench.service.charges).toEqual([])
})

describe('a command to repeat', () => {
  it('by --force charges once for one content, however many copies there are', async () => {
    for (let n = 0; n < 4; n += 1) await bench.add(`${n}`, 'same', { force: true })
    await bench.run(30 * MINUTE)
    expect(bench.store.count().done).toBe(4)
    expect(bench.service.charges).toHaveLength(1)
  })

  it('by --force does charge again for what was paid before, and once for one order', async () => {
    await bench.add('1')
    await bench.run(5 * MINUTE)
    await bench.add('1', '1', { force: true, batchId: 'again' })
    await bench.clock.advance(5 * MINUTE)
    expect(bench.service.charges).toHaveLength(2)
    // As after a restart in the middle of it.
    await bench.add('2', '1', { force: true, batchId: 'again' })
    await bench.clock.advance(5 * MINUTE)
    expect(bench.service.charges).toHaveLength(2)
    expect(bench.store.count().done).toBe(3)
  })

  it('of a picture that was never sent does not cover a doubt that came later', async () => {
    const cancelled = await bench.add('1', 'same')
    bench.store.apply(cancelled.id, { type: 'cancel' })
    bench.store.apply(cancelled.id, { type: 'retry' })
    const twin = await bench.add('2', 'same')
    // The twin goes first, and its answer is lost.
    bench.store.apply(twin.id, { type: 'dispatch', accountId: 'A' })
    bench.store.apply(twin.id, { type: 'unknown', reason: { code: 'unclear_answer', detail: null } })
    await bench.run(10 * MINUTE)
    expect(bench.service.charges).toHaveLength(0)
  })

  it('by the setting that resends once is one resend for one content, not one for each copy', async () => {
    loseAnswers(10)
    for (let n = 0; n < 4; n += 1) await bench.add(`${n}`, 'same')
    await bench.run(5 * MINUTE)
    expect(bench.store.count().unknown).toBe(4)
    bench.settings = { ...bench.settings, resendUnknownOnce: true }
    await bench.clock.advance(60 * MINUTE)
    expect(bench.service.charges).toHaveLength(2)
  })

  it('that never left leaves the doubt, and its kept result, as they were', async () => {
    await bench.add('1')
    await bench.run(5 * MINUTE)
    bench.service.weather = 'down'
    const forced = await bench.add('1', '1', { force: true, batchId: 'again' })
    await bench.clock.advance(MINUTE)
    expect(findPayment(bench.db, forced.paidKey!)).toMatchObject({ state: 'paid' })
    bench.store.apply(forced.id, { type: 'cancel' })
    bench.service.weather = 'fine'
    const copy = await bench.add('2', '1')
    await bench.clock.advance(5 * MINUTE)
    expect(bench.get(copy).state).toBe('done')
    expect(bench.service.charges).toHaveLength(1)
  })
})

describe('a command to stop', () => {
  it('given while a picture is being sent holds when the service sends it back', async () => {
    const job = await bench.add('1')
    bench.service.weather = 'rate-limits'
    await bench.run(20)
    expect(bench.get(job).state).toBe('sending')
    expect(await cancel(job)).toEqual({ changed: 1 })
    await bench.clock.advance(1000)
    bench.service.weather = 'fine'
    await bench.clock.advance(10 * MINUTE)
    expect(bench.service.charges).toHaveLength(0)
    expect(bench.get(job).state).toBe('cancelled')
  })

  it('given while a picture is being read keeps it here', async () => {
    const read = bench.files.readSource.bind(bench.files)
    const job = await bench.add('1')
    bench.files.readSource = async (...args) => {
      await new Promise<void>((resolve) => bench.clock.setTimer(1000, resolve))
      return read(...args)
    }
    await bench.run(500)
    bench.settings = { ...bench.settings, paused: true }
    await bench.clock.advance(5 * MINUTE)
    expect(bench.service.charges).toHaveLength(0)
    expect(bench.get(job).state).toBe('ready')
  })

  it('given after sending is kept by a job that another one takes over for free', async () => {
    const job = await bench.add('1')
    await bench.run(1500)
    expect(bench.get(job).state).toBe('waiting')
    expect(await cancel(job)).toEqual({ changed: 1 })
    const copy = await bench.add('2', '1')
    await bench.clock.advance(10 * MINUTE)
    expect(bench.get(copy)).toMatchObject({ state: 'done', remoteJobId: bench.get(job).remoteJobId })
    expect(bench.get(job).state).toBe('cancelled')
    expect(bench.service.charges).toHaveLength(1)
  })
})

describe('one broken row', () => {
  it('of a kept result does not stop the other pictures', async () => {
    const first = await bench.add('1')
    await bench.run(5 * MINUTE)
    bench.db.prepare(`UPDATE payments SET result = '{"half' WHERE paid_key = ?`).run(first.paidKey)
    await bench.add('2', '1')
    const other = await bench.add('3')
    await bench.clock.advance(10 * MINUTE)
    expect(bench.get(other).state).toBe('done')
  })

  it('of a job that was being sent does not stop the other pictures', async () => {
    const gone = await bench.add('1', 'same')
    bench.store.apply(gone.id, { type: 'dispatch', accountId: 'A' })
    bench.db.prepare('DELETE FROM jobs WHERE id = ?').run(gone.id)
    const again = await bench.add('2', 'same')
    bench.store.apply(again.id, { type: 'cancel' })
    bench.store.apply(again.id, { type: 'retry' })
    const other = await bench.add('3')
    await bench.run(10 * MINUTE)
    expect(bench.get(other).state).toBe('done')
  })

  it('of a job that waits lets another one with the same content wait in its place', async () => {
    const first = await bench.add('1', 'same')
    await bench.run(1500)
    expect(bench.get(first).state).toBe('waiting')
    bench.db.prepare(`UPDATE jobs SET doc = '{' WHERE id = ?`).run(first.id)
    const twin = await bench.add('2', 'same')
    await bench.clock.advance(10 * MINUTE)
    expect(bench.get(twin).state).toBe('done')
    expect(bench.service.charges).toHaveLength(1)
  })
})

describe('what may be sent now', () => {
  it('is not kept back by a long order that is still being scanned', async () => {
    bench.batch('growing', { open: true, confirmed: false })
    for (let n = 0; n < 30; n += 1) await bench.add(`a${n}`, `a${n}`, { batchId: 'growing' })
    const wanted = await bench.add('wanted')
    await bench.run(10 * MINUTE)
    expect(bench.get(wanted).state).toBe('done')
  })

  it('is bounded by a cap, counted over every order, and goes on when the cap is raised', async () => {
    bench.settings = { ...bench.settings, caps: { perDay: 3, perMonth: null, perFolderPerDay: null } }
    for (let n = 0; n < 8; n += 1) await bench.add(`${n}`)
    await bench.run(10 * MINUTE)
    expect(bench.service.charges).toHaveLength(3)
    expect(bench.store.count()).toMatchObject({ done: 3, held: 5 })
    bench.settings = { ...bench.settings, caps: { perDay: 8, perMonth: null, perFolderPerDay: null } }
    await bench.clock.advance(10 * MINUTE)
    expect(bench.service.charges).toHaveLength(8)
  })
  it('is held by what holds it now, once the cap that held it is gone', async () => {
    bench.settings = { ...bench.settings, caps: { perDay: 1, perMonth: null, perFolderPerDay: null } }
    for (let n = 0; n < 2; n += 1) await bench.add(`${n}`)
    await bench.run(10 * MINUTE)
    const why = () => heldBatches(bench.context).map(({ detail }) => englishText(detail!))
    expect(why()).toEqual([expect.stringContaining('the cap per day (1) is used up')])
    bench.settings = Settings.parse({})
    keepStop(bench.db, SERVICE, { fell: 3, refused: 1, words: raw('not for you') })
    expect(why()).toEqual([expect.stringMatching(/the balance fell while.*credits: 3;/)])
  })
})
