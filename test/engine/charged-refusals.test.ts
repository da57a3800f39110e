import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { stopOf } from '../../src/main/journal/credit-limits.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import { json } from '../odd-service.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { engine, openOddWorldForEachTest, service, world } from './world-for-each-test.ts'

const PICTURES = 20
const STATUSES = [402, 403, 422, 429]

let dataDir: string
openOddWorldForEachTest(
  Array.from({ length: PICTURES }, (_, n) => `${n}.jpg`),
  () => (dataDir = world.newDataFolder()),
)

const order = { recipe: { ...RECIPE, operation: 'analyze' } } as const

const isHeld = (jobs: Awaited<ReturnType<typeof runToEnd>>) => jobs.filter(({ state }) => state === 'held')
const detailsOf = (jobs: Awaited<ReturnType<typeof runToEnd>>) => [
  ...new Set(
    isHeld(jobs).flatMap(({ reason }) => (reason?.code === 'spend_guard' ? [englishText(reason.detail!)] : [])),
  ),
]

/** The service takes its credits and refuses every picture. */
function refuseAll(status: number, message?: string): void {
  service.onDispatch = (_, response) => {
    refuse(response, status, message)
    return true
  }
}

const refuse = (response: ServerResponse, status: number, message = 'not for this account') =>
  json(response, status, { message, ...(status === 429 && { retry_after: 1 }) })

describe('a service that charges for what it refuses', () => {
  it.each(STATUSES)('%d: takes one picture from a limit of 6 credits, and what is left says so', async (status) => {
    refuseAll(status)
    const jobs = await runToEnd(engine, [world.pictures], { ...order, maxCredits: 6 })
    expect(service.jobs).toHaveLength(1)
    expect(detailsOf(jobs)).toEqual([expect.stringMatching(/balance fell while.*refused.*credits: 3/)])
  })

  it.each([403, 422, 429])('%d: takes no more pictures than a cap of two a day', async (status) => {
    refuseAll(status)
    const caps = { perDay: 2, perMonth: null, perFolderPerDay: null }
    expect(await engine.call('settings.set', { caps })).toMatchObject({ ok: true })
    const jobs = await runToEnd(engine, [world.pictures], order)
    expect(service.jobs.length).toBeLessThanOrEqual(2)
    // Some may be held while both are on their way, or after the second refusal, which names what both took.
    expect(detailsOf(jobs)).not.toEqual([])
    for (const detail of detailsOf(jobs))
      expect(detail).toMatch(/balance fell while.*refused.*credits: [36]|the cap per day \(2\) is used up/)
  })

  it('holds the rest by what was charged once a cap that held it is gone', async () => {
    const asked: ServerResponse[] = []
    service.onDispatch = (_, response) => asked.push(response) > 0
    const caps = { perDay: 2, perMonth: null, perFolderPerDay: null }
    expect(await engine.call('settings.set', { caps })).toMatchObject({ ok: true })
    const run = runToEnd(engine, [world.pictures], order)
    const held = () => engine.snapshot().confirmations.map((one) => [one.held, englishText(one.detail!)])
    await expect.poll(held).toEqual([[PICTURES - 2, expect.stringMatching(/the cap per day \(2\) is used up/)]])
    for (const response of asked) refuse(response, 429)
    await run
    expect(await engine.call('settings.set', { caps: { ...caps, perDay: null } })).toMatchObject({ ok: true })
    await expect.poll(held).toEqual([[PICTURES, expect.stringMatching(/balance fell while.*refused.*credits: 6/)]])
    expect(service.jobs).toHaveLength(2)
  })

  it('stays stopped when a run is asked for that cannot begin', async () => {
    refuseAll(422)
    await runToEnd(engine, [world.pictures], { ...order, maxCredits: 6 })
    expect(await engine.call('intake.add', { ...order, paths: ['/nowhere'] })).toMatchObject({ ok: false })
    const db = openJournal(dataDir)
    expect(stopOf(db, service.origin)).not.toBeNull()
    db.close()
  })

  it('goes on when a person approves, and is stopped again by the next such refusal', async () => {
    refuseAll(422)
    const [first] = isHeld(await runToEnd(engine, [world.pictures], { ...order, maxCredits: 60 }))
    expect(await engine.call('batches.confirm', { id: first!.batchId })).toMatchObject({ ok: true })
    // Two may leave together, since one was seen by then.
    const stopped = () => {
      const held = engine.snapshot().confirmations[0]?.held ?? 0
      return service.jobs.length > 1 && held === PICTURES - service.jobs.length
    }
    await expect.poll(stopped, { timeout: 30_000 }).toBe(true)
    expect(service.jobs.length).toBeLessThanOrEqual(3)
  })
})

describe('a service that refuses for nothing', () => {
  beforeEach(() => {
    service.charge = 0
  })

  it('uses up neither a limit nor a cap', async () => {
    service.onDispatch = (_, response, job) => {
      service.balance -= service.jobs.length % 2 === 0 ? 3 : 0
      if (service.jobs.length % 2 === 0) return false
      json(response, 422, { message: `not ${job!.id}` })
      return true
    }
    const caps = { perDay: 15, perMonth: null, perFolderPerDay: null }
    await engine.call('settings.set', { caps })
    const jobs = await runToEnd(engine, [world.pictures], { ...order, maxCredits: 45 })
    expect(jobs.filter(({ state }) => state === 'done')).toHaveLength(PICTURES / 2)
    expect(isHeld(jobs)).toEqual([])
  })

  it.each([422, 451, 400])(
    '%d to everything: holds the batch after ten, with the words of the service',
    async (status) => {
      refuseAll(status, 'closed until Monday')
      const jobs = await runToEnd(engine, [world.pictures], order)
      expect(service.jobs.length).toBeGreaterThanOrEqual(10)
      expect(service.jobs.length).toBeLessThanOrEqual(13)
      expect(isHeld(jobs)).toHaveLength(PICTURES - service.jobs.length)
      expect(detailsOf(jobs)).toEqual([expect.stringMatching(/10 pictures in a row.*closed until Monday/)])
    },
  )

  it('now and then, holds nothing', async () => {
    service.onDispatch = (_, response) => {
      if (service.jobs.length % 9 === 0) return false
      json(response, 422, { message: 'too dark' })
      return true
    }
    const jobs = await runToEnd(engine, [world.pictures], order)
    expect(service.jobs).toHaveLength(PICTURES)
    expect(isHeld(jobs)).toEqual([])
  })
})
