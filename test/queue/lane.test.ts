import { beforeEach, describe, expect, it } from 'vitest'
import { OWN_LEDGER } from '../../src/main/core/account-ledger.ts'
import { sleep } from '../../src/main/core/sleep.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'
import { refusing } from './queue-bench.ts'

const MINUTE = 60_000

makeBenchForEachTest()
beforeEach(() => bench.runner.start())

/** How many calls of all kinds leave in this time. */
async function callsIn(ms: number): Promise<number> {
  const before = bench.lane.slots.requests
  await bench.clock.advance(ms)
  return bench.lane.slots.requests - before
}

describe('A held service', () => {
  it.each(['key_refused', 'credits_short', 'address_wrong'] as const)(
    'is asked at its own times, also when it cannot be reached (%s)',
    async (code) => {
      bench.lane.setHold({ code, detail: null })
      bench.service.weather = 'down'
      // A wrong address: after 5, 10, 20, 40 and 80 s and so on. The others: every five or ten minutes.
      expect(await callsIn(11 * MINUTE)).toBeLessThanOrEqual(8)
      expect(await callsIn(11 * MINUTE)).toBeGreaterThanOrEqual(1)
    },
  )

  it('is asked again within seconds when its address seemed wrong, then ever more rarely', async () => {
    bench.lane.setHold({ code: 'address_wrong', detail: { raw: '302' } })
    bench.service.weather = 'elsewhere'
    expect(await callsIn(6 * 1000)).toBe(1)
    const perTenMinutes: number[] = []
    for (let n = 0; n < 4; n += 1) perTenMinutes.push(await callsIn(10 * MINUTE))
    expect(perTenMinutes[0]).toBeLessThan(8)
    expect(perTenMinutes[3]).toBeLessThanOrEqual(2)
    bench.service.weather = 'fine'
    await bench.clock.advance(11 * MINUTE)
    expect(bench.lane.hold).toBeNull()
  })
})

describe('An account that other computers use too', () => {
  it('has all slots of its share used: no reserve of each computer adds up', () => {
    bench.lane.slots.setLimit(60)
    const slots = () => bench.lane.slots.times(bench.lane.nowMs()).length
    const alone = slots()
    bench.lane.ledger = { ...OWN_LEDGER, share: () => 30 }
    expect(slots()).toBe(30)
    expect(alone).toBe(58)
  })

  it('sends as soon as the ledger has slots again: a turn that it refused is not lost', async () => {
    let isRefusing = true
    bench.lane.ledger = {
      ...OWN_LEDGER,
      share: () => 8,
      permit: async (...request) => (isRefusing ? { kind: 'denied', retryMs: 1000 } : OWN_LEDGER.permit(...request)),
    }
    for (let n = 0; n < 20; n += 1) await bench.add(`lake-${n}`)
    await bench.clock.advance(20_000)
    expect(bench.service.dispatchedAtMs).toHaveLength(0)
    isRefusing = false
    await bench.clock.advance(1500)
    expect(bench.service.dispatchedAtMs).toHaveLength(1)
  })

  it('takes a slot to be as current as the permission of the ledger', async () => {
    let isCurrent = true
    const permit = { answered: () => undefined, unused: () => undefined, isCurrent: () => isCurrent }
    bench.lane.ledger = { ...OWN_LEDGER, permit: async () => ({ kind: 'granted', permit }) }
    const slots = [await bench.lane.slots.tryTake(), await bench.lane.slots.take()]
    expect(slots.map((slot) => slot?.isCurrent?.())).toEqual([true, true])
    isCurrent = false
    expect(slots.map((slot) => slot?.isCurrent?.())).toEqual([false, false])
  })

  it('asks the ledger at once for a call that a person waits for, also when the share of this computer is used up', async () => {
    bench.lane.slots.setLimit(60)
    const asked: string[] = []
    bench.lane.ledger = {
      ...OWN_LEDGER,
      share: () => 2,
      permit: (...request) => {
        asked.push(request[0])
        return OWN_LEDGER.permit(...request)
      },
    }
    for (let n = 0; n < 2; n += 1) expect(await bench.lane.slots.tryTake()).not.toBeNull()
    expect(await bench.lane.slots.tryTake()).toBeNull()
    const slot = bench.lane.slots.take()
    await bench.clock.advance(1000)
    expect(asked).toEqual(['queue', 'queue', 'person'])
    expect(await slot).toBeDefined()
    // The queue has no more than before.
    expect(await bench.lane.slots.tryTake()).toBeNull()
  })
})

describe('A redirected free call', () => {
  it('stops the others for seconds, and a picture is never held for it', async () => {
    const job = await bench.add('lake')
    await bench.clock.advance(1000)
    expect(bench.get(job).state).toBe('waiting')
    bench.service.weather = 'elsewhere'
    await bench.clock.advance(15_000)
    expect(bench.lane.hold).toBeNull()
    expect(bench.lane.closed).toMatchObject({ reason: 'service_doubtful' })
    bench.service.weather = 'fine'
    await bench.clock.advance(90_000)
    expect(bench.lane.closed).toBeNull()
    expect(bench.get(job).state).toBe('done')
    const held = bench.db.prepare(`SELECT count(*) FROM job_events WHERE state = 'held'`).pluck().get()
    expect(held).toBe(0)
  })

  it('means a wrong address when it lasts for minutes', async () => {
    const job = await bench.add('lake')
    await bench.clock.advance(1000)
    bench.service.weather = 'elsewhere'
    await bench.clock.advance(4 * MINUTE)
    expect(bench.lane.hold).toEqual({ code: 'address_wrong', detail: { raw: '307' } })
    expect(bench.get(job)).toMatchObject({ state: 'held', resume: 'waiting' })
    bench.service.weather = 'fine'
    await bench.clock.advance(11 * MINUTE)
    expect(bench.get(job).state).toBe('done')
    expect(bench.service.charges).toHaveLength(1)
  })
})

it('A redirected dispatch holds the pictures, and is not tried every few seconds when free calls go through', async () => {
  const { service } = bench
  const fine = service.dispatch.bind(service)
  let tried = 0
  service.dispatch = refusing(301, () => (tried += 1))
  const job = await bench.add('lake')
  await bench.clock.advance(2000)
  expect(bench.get(job)).toMatchObject({ state: 'held', reason: { code: 'address_wrong', detail: { raw: '301' } } })
  await bench.clock.advance(60 * MINUTE)
  expect(tried).toBeLessThan(15)
  service.dispatch = fine
  await bench.clock.advance(15 * MINUTE)
  expect(bench.get(job).state).toBe('done')
  expect(service.charges).toHaveLength(1)
})

describe('A service that takes no pictures but answers free calls', () => {
  /** How many it got until now. */
  function losing(): { tried: number; heal(): void } {
    const { service } = bench
    const fine = service.dispatch.bind(service)
    const losing = { tried: 0, heal: () => (service.dispatch = fine) }
    service.dispatch = refusing(502, () => (losing.tried += 1))
    return losing
  }

  it('is sent four at most, however many wait and however fast it answers, then one now and then', async () => {
    bench.lane.slots.setLimit(600)
    const service = losing()
    const jobs = await Promise.all(Array.from({ length: 60 }, (_, n) => bench.add(`picture ${n}`)))
    await bench.clock.advance(14 * MINUTE)
    expect(service.tried).toBeLessThanOrEqual(4)
    expect(bench.lane.trouble).toMatchObject({ reason: 'service_doubtful' })
    await bench.clock.advance(2 * 60 * MINUTE)
    expect(service.tried).toBeGreaterThan(4)
    expect(service.tried).toBeLessThanOrEqual(7)
    bench.lane.slots.setLimit(60)
    service.heal()
    await bench.clock.advance(90 * MINUTE)
    expect(bench.lane.trouble).toBeNull()
    expect(bench.store.count()).toMatchObject({ unknown: service.tried, done: jobs.length - service.tried })
  })

  it('is sent pictures as soon as free calls are answered again, if those failed as well', async () => {
    const service = losing()
    for (let n = 0; n < 20; n += 1) await bench.add(`picture ${n}`)
    bench.service.weather = 'down'
    await bench.clock.advance(20 * MINUTE)
    expect(service.tried).toBe(4)
    service.heal()
    bench.service.weather = 'fine'
    await bench.clock.advance(5 * MINUTE)
    expect(bench.store.count()).toMatchObject({ unknown: 4, done: 16 })
  })

  it('is tried at once when a person asks, by one picture', async () => {
    const service = losing()
    for (let n = 0; n < 20; n += 1) await bench.add(`picture ${n}`)
    await bench.clock.advance(MINUTE)
    expect(service.tried).toBe(4)
    bench.lane.askSoon()
    await bench.clock.advance(MINUTE)
    expect(service.tried).toBe(5)
    service.heal()
    bench.lane.askSoon()
    await bench.clock.advance(10 * MINUTE)
    expect(bench.store.count()).toMatchObject({ unknown: 5, done: 15 })
  })
})

it('What waits in line for a call in a long pause goes when it is aborted, and those in front and behind keep their turn', async () => {
  const pausing = await bench.lane.slots.take()
  pausing.rateLimited(15 * MINUTE)
  const turns: string[] = []
  const first = bench.lane.slots.take().then(() => turns.push('first'))
  const stop = new AbortController()
  const probe = bench.lane.probe(stop.signal)
  const last = bench.lane.slots.take().then(() => turns.push('last'))
  stop.abort()
  await expect(probe).rejects.toThrow()
  expect(turns).toEqual([])
  await bench.clock.advance(16 * MINUTE)
  await Promise.all([first, last])
  expect(turns).toEqual(['first', 'last'])
})

it('An outage loses four, also when the answer to one that left before it began comes in between', async () => {
  const dispatch = bench.service.dispatch.bind(bench.service)
  let sent = 0
  bench.service.dispatch = async (request, options) => {
    sent += 1
    const isEarlier = sent === 1
    const answer = await dispatch(request, options)
    if (isEarlier) await sleep(bench.clock, 1000, options.signal)
    return isEarlier ? answer : { kind: 'maybeSent', error: { code: 'reset', message: '' } }
  }
  for (let n = 0; n < 20; n += 1) await bench.add(`${n}`)
  await bench.clock.advance(10 * MINUTE)
  expect(bench.store.count()).toMatchObject({ unknown: 4, done: 1 })
})
