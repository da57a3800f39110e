import { beforeEach, describe, expect, it } from 'vitest'
import type { ChildHandle, ChildPort } from '../../src/shared/runtime/ports.ts'
import { PracticeKeeper } from '../../src/main/page/practice-keeper.ts'
import { ManualClock } from '../watch/manual-clock.ts'

const READY = {
  type: 'ready',
  imageBaseUrl: 'http://127.0.0.1:1/api/v1',
  chargerBaseUrl: 'http://127.0.0.1:1',
  apiKey: 'k',
  partnerToken: 't',
}

/** A practice program whose comings and goings the test decides. */
class Programs implements ChildPort {
  started = 0
  comesUp = true
  end = (): void => undefined
  spawn(): ChildHandle {
    this.started += 1
    const comesUp = this.comesUp
    return {
      send: () => undefined,
      kill: () => undefined,
      onMessage: (listener) => comesUp && queueMicrotask(() => listener(READY)),
      onExit: (listener) => {
        this.end = () => listener(1)
        if (!comesUp) queueMicrotask(this.end)
      },
    }
  }
}

let clock: ManualClock
let programs: Programs
let keeper: PracticeKeeper
let needed: boolean
let restarts: number

beforeEach(() => {
  clock = new ManualClock()
  programs = new Programs()
  needed = true
  restarts = 0
  const log = { debug() {}, info() {}, warn() {}, error() {}, hideSecret() {} }
  keeper = new PracticeKeeper({ child: programs, clock, log, options: {}, isNeeded: () => needed })
  keeper.onRestart = () => (restarts += 1)
})

/** Ends the one that runs, and resolves to how long it takes until another does. */
async function downFor(): Promise<number> {
  const sofar = programs.started
  const endedAtMs = clock.monotonicMs()
  programs.end()
  while (programs.started === sofar) await clock.pass(1000)
  return clock.monotonicMs() - endedAtMs
}

describe('a practice service that ends', () => {
  it('is started again five seconds later, however often it ends', async () => {
    await keeper.ensure()
    expect([await downFor(), await downFor(), await downFor()]).toEqual([5000, 5000, 5000])
    expect(restarts).toBe(3)
  })

  it('is let be while nothing needs it', async () => {
    await keeper.ensure()
    needed = false
    programs.end()
    await clock.pass(600_000)
    expect(programs.started).toBe(1)
    needed = true
    await keeper.ensure()
    expect(keeper.current()).toMatchObject({ apiKey: 'k' })
  })
})

describe('a practice service that does not come up', () => {
  it('says why and comes up by itself when it can', async () => {
    programs.comesUp = false
    expect((await keeper.begin())?.message).toBe('The practice service did not start: it ended with the code 1.')
    expect(keeper.current()).toBeNull()
    await clock.pass(10_000)
    expect(keeper.current()).toBeNull()
    programs.comesUp = true
    await clock.pass(60_000)
    expect(keeper.current()).toMatchObject({ apiKey: 'k' })
    expect(restarts).toBe(1)
  })

  it('is not tried again by itself once it was started by hand', async () => {
    programs.comesUp = false
    await keeper.begin()
    programs.comesUp = true
    await keeper.ensure()
    const { started } = programs
    await clock.pass(600_000)
    expect(programs.started).toBe(started)
    expect(clock.timers).toBe(0)
  })
})
