import { expect, it } from 'vitest'
import { BEGINNINGS, firstMinutes, meanAndWorst, spread } from '../../bench/rate/first-minute.ts'

/** `npm run bench rate` has many more seeds. */
const SEEDS = [1, 2, 3, 4]

it.each(BEGINNINGS)('the first minutes send no more than can be finished, with pictures $name', (beginning) => {
  const runs = SEEDS.map((seed) => firstMinutes(spread(0.6), beginning, seed))
  expect(Math.max(...runs.map(({ mostInFlight }) => mostInFlight))).toBeLessThanOrEqual(25)
  expect(Math.max(...runs.map(({ refused }) => refused))).toBe(0)
  expect(meanAndWorst(runs, 'inOneMinute').mean).toBeGreaterThanOrEqual(10)
  expect(meanAndWorst(runs, 'inFourMinutes').mean).toBeGreaterThanOrEqual(70)
})
