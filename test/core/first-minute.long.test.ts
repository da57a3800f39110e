import { describe, expect, it } from 'vitest'
import {
  BEGINNINGS,
  type FirstMinutes,
  firstMinutes,
  meanAndWorst,
  SHAPES,
  spread,
} from '../../bench/rate/first-minute.ts'
import type { Workload } from '../../bench/rate/workloads.ts'

/** `npm run bench rate` has five times as many. */
const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1)
const SECOND = 1000

const worstTenth = (workload: Workload, beginning = BEGINNINGS[1]!): ((figure: keyof FirstMinutes) => number) => {
  const runs = SEEDS.map((seed) => firstMinutes(workload, beginning, seed))
  expect(Math.max(...runs.map(({ refused }) => refused))).toBe(0)
  return (figure) => meanAndWorst(runs, figure).worst
}

describe('the worst tenth of first minutes, nothing learned yet, in virtual time', () => {
  it.each(SHAPES.filter(({ name }) => name !== 'from 20 to 4 s'))(
    'has a result within 15 s, ten in a minute and few in flight where jobs take $name',
    (workload) => {
      const worst = worstTenth(workload)
      expect(worst('firstResultMs')).toBeLessThanOrEqual(15 * SECOND)
      expect(worst('inOneMinute')).toBeGreaterThanOrEqual(10)
      expect(worst('mostInFlight')).toBeLessThanOrEqual(25)
    },
  )

  it.each(BEGINNINGS)('has most of the batch after four minutes with moderate spreads, pictures $name', (beginning) => {
    for (const sigma of [0.35, 0.6]) {
      const worst = worstTenth(spread(sigma), beginning)
      expect(worst('inFourMinutes')).toBeGreaterThanOrEqual(71)
      expect(worst('inFlightMs')).toBeLessThanOrEqual(33 * SECOND)
    }
  })

  // A client that knows how durations are distributed has 69 results and a median of 34 s (bench/results/rate.md).
  it.each(BEGINNINGS)('is near to what can be known where durations spread widely, pictures $name', (beginning) => {
    const worst = worstTenth(spread(1), beginning)
    expect(worst('inFourMinutes')).toBeGreaterThanOrEqual(65)
    expect(worst('inFlightMs')).toBeLessThanOrEqual(44 * SECOND)
    expect(worst('mostInFlight')).toBeLessThanOrEqual(25)
  })
})
