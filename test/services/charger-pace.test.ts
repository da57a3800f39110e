import { expect, it } from 'vitest'
import { ChargerPace } from '../../src/main/services/charger-pace.ts'
import { ManualClock } from '../watch/manual-clock.ts'

const never = new AbortController().signal

async function takeAll(pace: ChargerPace, clock: ManualClock, most: number, count: number) {
  const leftAtMs: number[] = []
  const all = (async () => {
    for (let n = 0; n < count; n += 1) {
      await pace.take(most, never)
      leftAtMs.push(clock.monotonicMs())
    }
  })()
  await clock.pass(600_000)
  await all
  return leftAtMs
}

const mostInAnyMinute = (timesMs: number[]) =>
  Math.max(...timesMs.map((fromMs) => timesMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + 60_000).length))

it('lets short lists go at once and spreads long ones over the minutes', async () => {
  const clock = new ManualClock()
  const leftAtMs = await takeAll(new ChargerPace(clock), clock, 90, 250)
  expect(leftAtMs.slice(0, 90).every((atMs) => atMs === 0)).toBe(true)
  expect(mostInAnyMinute(leftAtMs)).toBe(90)
  expect(leftAtMs.at(-1)).toBe(120_000)
})

it('leaves a person some room in a minute that a refresh has filled', async () => {
  const clock = new ManualClock()
  const pace = new ChargerPace(clock)
  for (let n = 0; n < 90; n += 1) await pace.take(90, never)
  const leftAtMs = await takeAll(pace, clock, 110, 25)
  expect(leftAtMs.filter((atMs) => atMs === 0)).toHaveLength(20)
  expect(mostInAnyMinute(leftAtMs)).toBeLessThanOrEqual(110)
})

it('does not keep a caller that gives up', async () => {
  const clock = new ManualClock()
  const pace = new ChargerPace(clock)
  const given = new AbortController()
  await pace.take(1, never)
  const waiting = pace.take(1, given.signal)
  given.abort()
  await waiting
  expect(clock.monotonicMs()).toBe(0)
})
