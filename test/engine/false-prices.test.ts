import { describe, expect, it } from 'vitest'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { engine, openOddWorldForEachTest, service, world } from './world-for-each-test.ts'

openOddWorldForEachTest(Array.from({ length: 12 }, (_, n) => `${n}.jpg`))

/** A run with a limit: how many pictures were sent, and what those that were not say. */
async function runWithin(maxCredits: number): Promise<{ sent: number; held: string[] }> {
  const jobs = await runToEnd(engine, [world.pictures], { maxCredits, recipe: { ...RECIPE, operation: 'analyze' } })
  const held = jobs.filter(({ state }) => state === 'held')
  expect(jobs.filter(({ state }) => state === 'done')).toHaveLength(service.jobs.length)
  expect(held).toHaveLength(jobs.length - service.jobs.length)
  return { sent: service.jobs.length, held: [...new Set(held.map(({ reason }) => englishText(reason!.detail!)))] }
}

describe('a run with a limit of credits', () => {
  it.each([0, -0])('sends nothing where the service states a price of %d, and says why', async (price) => {
    service.stated = price
    const { sent, held } = await runWithin(6)
    expect(sent).toBe(0)
    expect(held).toEqual([expect.stringMatching(/6 credits.*states no price.*not above 0/)])
  })

  it.each([0.01, 1])('stops where the balance falls by 3 a picture and the service states %d', async (price) => {
    service.stated = price
    const { sent, held } = await runWithin(6)
    expect(sent).toBe(2)
    expect(held).toEqual([expect.stringMatching(/at most 6 of the 6 allowed credits.*may cost 3/)])
  })

  it('stops where the price becomes a false one on the way', async () => {
    service.onDispatch = () => {
      if (service.jobs.length === 2) service.stated = 0
      return false
    }
    const { sent, held } = await runWithin(30)
    expect(sent).toBeLessThanOrEqual(4)
    expect(held).toEqual([expect.stringMatching(/states no price/)])
  })

  it('sends as many as an honest price allows, and asks about once for every second picture', async () => {
    const { sent, held } = await runWithin(30)
    expect(sent).toBe(10)
    expect(held).toEqual([expect.stringMatching(/at most 30 of the 30 allowed credits are spent/)])
    expect(service.count('GET /credits')).toBeLessThanOrEqual(8)
  })

  it('counts a rise of the balance as bought credits, and goes on within its limit', async () => {
    service.onDispatch = () => {
      if (service.jobs.length === 3) service.balance += 500
      return false
    }
    expect(await runWithin(30)).toMatchObject({ sent: 10 })
  })
})

describe('a price that cannot be read', () => {
  it.each(['3', 'NaN', null, -3, 1.8e306])('starts no run with a limit: %j', async (price) => {
    service.stated = price
    const order = { paths: [world.pictures], recipe: RECIPE, confirmed: true, maxCredits: 6 }
    expect(await engine.call('intake.add', order)).toMatchObject({ ok: false })
    expect(service.jobs).toHaveLength(0)
  })

  it('later on, ends the run instead of asking for ever', async () => {
    service.onDispatch = () => {
      service.stated = 'NaN'
      return false
    }
    const { sent, held } = await runWithin(30)
    expect(sent).toBe(1)
    expect(held).toEqual([expect.stringMatching(/states no price/)])
    expect(service.count('GET /credits')).toBeLessThan(12)
  })
})
