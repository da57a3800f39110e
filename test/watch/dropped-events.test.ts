import { beforeEach, expect, it } from 'vitest'
import { DroppedEvents } from '../../src/main/watch/dropped-events.ts'
import { WATCH_TIMING } from '../../src/main/watch/watch-timing.ts'
import { ManualClock } from './manual-clock.ts'

const { overflowEvents, overflowWindowMs, rescanDelayMs } = WATCH_TIMING

let clock: ManualClock
let rescans: number
let events: DroppedEvents

beforeEach(() => {
  clock = new ManualClock()
  rescans = 0
  events = new DroppedEvents(clock, WATCH_TIMING, () => (rescans += 1))
})

const burst = (count: number) => {
  for (let n = 0; n < count; n += 1) events.count()
}

it('a burst so large that some events may have been dropped starts one rescan, a little later', async () => {
  burst(overflowEvents * 3)
  expect(rescans).toBe(0)
  await clock.pass(rescanDelayMs)
  expect(rescans).toBe(1)
  await clock.pass(overflowWindowMs * 2)
  expect(rescans).toBe(1)
})

it('fewer events, or as many over a longer time, start none', async () => {
  burst(overflowEvents - 1)
  await clock.pass(overflowWindowMs + 1)
  burst(overflowEvents - 1)
  await clock.pass(rescanDelayMs)
  expect(rescans).toBe(0)
  burst(1)
  await clock.pass(rescanDelayMs)
  expect(rescans).toBe(1)
})

it('stopped, it starts none any more', async () => {
  events.requestRescan()
  events.stop()
  await clock.pass(rescanDelayMs)
  expect(rescans).toBe(0)
})
