import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/shared/sentences/errors.ts'
import type { Answer } from '../../src/main/core/answer.ts'
import { countUpTo } from '../../src/main/core/rate-budget.ts'
import { nextSteps } from '../../src/main/core/next-steps.ts'
import { knownFilesBelow } from '../../src/main/journal/known-files.ts'
import { raw, say } from '../../src/shared/sentences/sentence.ts'
import { hashOf } from '../simulation/memory-files.ts'
import { statusAnswer } from '../simulation/simulated-service.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'
import { refusing } from './queue-bench.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

makeBenchForEachTest()

const freeSlots = () => countUpTo(bench.lane.slots.times(bench.lane.nowMs()), bench.lane.nowMs())

it('that could not take the place of its original is not paid for, and the picture is tried again within about an hour', async () => {
  let isProtected = true
  let probes = 0
  bench.files.whyNotReplaceable = async () => {
    probes += 1
    return isProtected ? say('may_not_replace', { name: '1.jpg' }) : null
  }
  bench.files.replaceOriginal = async () => 'replaced'
  const held = await bench.add('1', undefined, { recipe: { operation: 'optimize', output: { kind: 'replace' } } })
  await bench.run(MINUTE)
  expect(bench.get(held)).toMatchObject({
    state: 'held',
    sentAtMs: null,
    reason: { code: 'not_replaceable', detail: { code: 'may_not_replace' } },
  })
  const other = await bench.add('2')
  await bench.clock.advance(10 * MINUTE)
  expect(bench.get(other).state).toBe('done')
  expect(probes).toBe(1)
  isProtected = false
  await bench.clock.advance(65 * MINUTE)
  expect(probes).toBe(2)
  expect(bench.get(held).state).toBe('done')
})

describe('a paid result', () => {
  it('is fetched six times at most when it can never be written, and then waits for a person', async () => {
    bench.files.writeSidecar = () => Promise.reject(new RangeError('Maximum call stack size exceeded'))
    const download = bench.service.optimized.bind(bench.service)
    let downloads = 0
    bench.service.optimized = (...request) => {
      downloads += 1
      return download(...request)
    }
    const job = await bench.add('1')
    await bench.run(24 * HOUR)
    expect(bench.get(job)).toMatchObject({ state: 'failed', reason: { code: 'encode_failed' } })
    expect(downloads).toBe(6)
    expect(nextSteps(bench.get(job))).toContain('fetch_again')
  })

  it.each([
    ['the disk was full', new AppError('disk_full', raw('no room'))],
    ['writing failed in passing', new Error('a passing trouble')],
  ])('is complete when %s between its two files', async (_, error) => {
    const stage = bench.files.stage.bind(bench.files)
    let failed = false
    bench.files.stage = (place, jobId, wanted, produce) => {
      if (wanted !== 'converted' || failed) return stage(place, jobId, wanted, produce)
      failed = true
      return Promise.reject(error)
    }
    const job = await bench.add('1')
    await bench.run(10 * MINUTE)
    expect(bench.get(job).state).toBe('done')
    expect(bench.files.written.has('/pictures/1-optimized.jpg')).toBe(true)
  })

  it('is the file with the metadata of the recipe, and known by that', async () => {
    const applied = Buffer.from('jpeg:without a place')
    bench.files.pictures.applyMetadata = async () => ({
      ok: true,
      bytes: applied,
      lost: ['credit'],
      unchecked: [],
      extras: [],
    })
    const job = await bench.add('1', '1'.repeat(500), { recipe: { operation: 'optimize' } })
    await bench.run(10 * MINUTE)
    const { outputs, notes, state } = bench.get(job)
    expect(state).toBe('done')
    const sha256 = hashOf(applied)
    expect(outputs.find(({ role }) => role === 'optimized')).toMatchObject({ sha256, sizeBytes: applied.length })
    expect(bench.files.disk.get('/pictures/1-optimized.jpg')?.bytes).toEqual(applied)
    expect(notes).toContainEqual({ code: 'credits_lost', detail: 'credit' })
  })

  it('is not written when its place cannot be removed for certain', async () => {
    bench.files.pictures.applyMetadata = async () => ({
      ok: false,
      reason: 'not_cleaned',
      detail: raw('cannot be followed'),
    })
    const job = await bench.add('1', '1'.repeat(500), { recipe: { operation: 'optimize' } })
    await bench.run(10 * MINUTE)
    expect(bench.get(job)).toMatchObject({ state: 'failed', reason: { code: 'not_cleaned' } })
    expect([...bench.files.disk.keys()].filter((path) => path !== '/pictures/1.jpg')).toEqual([])
    expect(nextSteps(bench.get(job))).toContain('fetch_again')
  })

  it('that the service has lost is given up, even when the clock is set back while it is fetched again', async () => {
    bench.service.optimized = async (_id, _sink, { slot }) => {
      slot.answered()
      return { from: 'service', answer: statusAnswer(404, 'gone') }
    }
    const job = await bench.add('1')
    await bench.run(HOUR)
    const lost = { state: 'failed', reason: { code: 'download_gone' } }
    expect(bench.get(job)).toMatchObject(lost)
    bench.store.apply(job.id, { type: 'fetchAgain' })
    bench.clock.jumpMs(-MINUTE)
    await bench.clock.advance(HOUR)
    expect(bench.get(job)).toMatchObject(lost)
  })

  it('kept from an earlier dispatch outlives a forced repetition that ends unknown', async () => {
    await bench.add('1')
    await bench.run(5 * MINUTE)
    const forced = await bench.add('1', '1', { force: true, batchId: 'again' })
    bench.service.weather = 'loses-answers'
    await bench.clock.advance(5 * MINUTE)
    expect(bench.get(forced).state).toBe('unknown')
    bench.service.weather = 'fine'
    const copy = await bench.add('2', '1')
    await bench.clock.advance(5 * MINUTE)
    expect(bench.get(copy).state).toBe('done')
  })

  it('does not wait until all work on this computer is done', async () => {
    bench.files.pictures.encode = async ({ bytes, options: { format } }) => {
      await new Promise<void>((resolve) => bench.clock.setTimer(5000, resolve))
      const made = Buffer.from(`${format}:${bytes.length}:${Math.random()}`)
      return { ok: true, bytes: made, width: 4, height: 3 }
    }
    const paid = await bench.add('paid', 'paid', { recipe: { operation: 'optimize' } })
    for (let n = 0; n < 300; n += 1) await bench.add(`${n}`, `${n}`, { recipe: { operation: 'convert' } })
    await bench.run(3 * MINUTE)
    expect(bench.get(paid).state).toBe('done')
  })
})

describe('the rate budget', () => {
  it('does not lose slots to calls that could not be noted', async () => {
    bench.saveBudget = () => {
      throw new Error('disk full')
    }
    for (let n = 0; n < 5; n += 1) await expect(bench.lane.slots.tryTake()).rejects.toThrow('disk full')
    bench.saveBudget = () => undefined
    await bench.clock.advance(2 * MINUTE)
    expect(freeSlots()).toBe(58)
  })

  it('is not hammered while the log cannot be written and the gate is closed', async () => {
    await bench.run(MINUTE)
    let tries = 0
    bench.saveBudget = () => {
      tries += 1
      throw new Error('disk full')
    }
    bench.lane.close('service_unreachable')
    await bench.clock.advance(10_000)
    expect(tries).toBeLessThan(10)
  })
})

describe('one answer that makes no sense, after an outage in which there were many of another kind', () => {
  /** A picture is done although its service is away for a while and then answers once with something else. */
  async function doneAfter(call: 'job' | 'optimized', odd: Exclude<Answer<never>, { kind: 'ok' }>): Promise<void> {
    const job = await bench.add('1')
    const { service } = bench
    const fine = { job: service.job.bind(service), optimized: service.optimized.bind(service) }
    let asked = 0
    const oddly = ({ slot }: { slot: { answered(): void } }) => {
      asked += 1
      if (asked > 13) return null
      slot.answered()
      return asked <= 12 ? statusAnswer(503) : odd
    }
    if (call === 'job') service.job = async (id, about) => oddly(about) ?? fine.job(id, about)
    else
      service.optimized = async (id, sink, about) => {
        const answer = oddly(about)
        return answer === null ? fine.optimized(id, sink, about) : { from: 'service', answer }
      }
    await bench.run(3 * HOUR)
    expect(bench.get(job).state).toBe('done')
  }

  it('ends no wait for a job', () => doneAfter('job', { kind: 'malformed', status: 200, why: say('no_result') }))

  it('ends no download', () => doneAfter('optimized', statusAnswer(418)))

  it('is no failure to write', async () => {
    const read = bench.files.readStaged.bind(bench.files)
    let failures = 0
    bench.files.readStaged = (file) => {
      failures += 1
      return failures === 1 ? Promise.reject(new Error('a passing trouble')) : read(file)
    }
    await doneAfter('optimized', statusAnswer(503))
  })
})

describe('an end', () => {
  it('comes when the key and the picture are refused and the balance answers oddly', async () => {
    let dispatches = 0
    bench.service.dispatch = refusing(401, () => (dispatches += 1))
    bench.service.balance = (about) => refusing(400)(null, about)
    const job = await bench.add('1')
    await bench.run(HOUR)
    expect(dispatches).toBeLessThan(20)
    expect(['failed', 'held']).toContain(bench.get(job).state)
  })

  it('comes for a job whose polls are never answered with sense', async () => {
    const job = await bench.add('1')
    bench.runner.start()
    bench.service.job = refusing(400)
    await bench.clock.advance(9 * 24 * HOUR)
    expect(['failed', 'held']).toContain(bench.get(job).state)
  })

  it('of a job that never ended offers to ask again for free before it offers to pay again', async () => {
    const job = await bench.add('1')
    bench.store.apply(job.id, { type: 'dispatch', accountId: 'A' })
    bench.store.apply(job.id, { type: 'accepted', remoteJobId: 'R' })
    const failed = bench.store.apply(job.id, { type: 'fail', reason: { code: 'never_ended', detail: null } })
    expect(nextSteps(failed)[0]).toBe('ask_again')
  })

  it('because the original is away does not keep it from being taken in when it is back', async () => {
    const job = await bench.add('1')
    const entry = bench.files.disk.get('/pictures/1.jpg')!
    bench.files.disk.delete('/pictures/1.jpg')
    await bench.run(MINUTE)
    expect(bench.get(job)).toMatchObject({ state: 'skipped', reason: { code: 'source_gone' } })
    // A drive that was away for a moment: the file is there again, as it was.
    bench.files.disk.set('/pictures/1.jpg', entry)
    expect([...knownFilesBelow(bench.db, '/pictures')]).toEqual([])
  })
})
