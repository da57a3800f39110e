import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceStatus } from '../../src/shared/contract/queue.ts'
import { keepBalance, type BalanceKeeper } from '../../src/main/page/balance-keeper.ts'
import { quiet, quietBackground } from '../simulation/world.ts'
import { ManualClock } from '../watch/manual-clock.ts'
import { FakeEngine, serviceStatus } from './fake-engine.ts'

const SERVICE = serviceStatus({ balance: { credits: 500, atMs: 0 } })

let engine: FakeEngine
let clock: ManualClock
let keeper: BalanceKeeper

beforeEach(() => {
  engine = new FakeEngine()
  clock = new ManualClock()
})
afterEach(() => keeper.close())

const asked = () => engine.calls.filter((channel) => channel === 'credits.balance').length

function start(service: ServiceStatus | null = SERVICE): void {
  engine.service = service
  keeper = keepBalance({ engine, clock, log: quiet, background: quietBackground() })
}

function send(n: number): void {
  engine.put(n, { state: 'sending' })
  engine.put(n, { state: 'waiting' })
}

function change(service: ServiceStatus): void {
  engine.service = service
  engine.tell({ type: 'service', status: service })
}

describe('the balance', () => {
  it('is asked for once at the start, also where an old one is known', async () => {
    start()
    await clock.pass(3_600_000)
    expect(asked()).toBe(1)
  })

  it('is asked for once after the work of a batch, however many pictures it had', async () => {
    start()
    for (let n = 1; n <= 5; n += 1) {
      send(n)
      await clock.pass(10_000)
    }
    expect(asked()).toBe(1)
    for (let n = 1; n <= 5; n += 1) engine.put(n, { state: 'done' })
    await clock.pass(3000)
    expect(asked()).toBe(2)
    await clock.pass(3_600_000)
    expect(asked()).toBe(2)
  })

  it('is not waited for without end while the service does not finish a picture', async () => {
    start()
    send(1)
    await clock.pass(290_000)
    expect(asked()).toBe(1)
    await clock.pass(11_000)
    expect(asked()).toBe(2)
  })

  it('is asked for again once a picture is done that was sent before the start, or long before', async () => {
    engine.put(1, { state: 'waiting' })
    start()
    await clock.pass(3_600_000)
    engine.put(1, { state: 'done' })
    await clock.pass(3000)
    expect(asked()).toBe(2)
    send(2)
    await clock.pass(301_000)
    expect(asked()).toBe(3)
    engine.put(2, { state: 'done' })
    await clock.pass(3000)
    expect(asked()).toBe(4)
  })

  it('is left alone while the service is in trouble, and asked for when it is well again', async () => {
    start({ ...SERVICE, hold: { code: 'key_refused', detail: null } })
    send(1)
    engine.put(1, { state: 'unknown' })
    await clock.pass(3_600_000)
    expect(asked()).toBe(0)
    change(SERVICE)
    expect(asked()).toBe(1)
    change({ ...SERVICE, balance: { credits: 480, atMs: 1 } })
    await clock.pass(3_600_000)
    expect(asked()).toBe(1)
  })

  it('is asked of a service that is new, or has a key now, without an event about it', async () => {
    start({ ...SERVICE, hasKey: false })
    engine.service = SERVICE
    keeper.recheck()
    await clock.pass(1000)
    expect(asked()).toBe(1)
    engine.service = { ...SERVICE, serviceId: 'https://other.example.com' }
    engine.set({ imageBaseUrl: 'https://other.example.com' })
    await clock.pass(1000)
    expect(asked()).toBe(2)
  })
})
