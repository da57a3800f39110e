import { afterEach, describe, expect, it } from 'vitest'
import { hashOf } from './memory-files.ts'
import { checkCharges, checkOutputs, checkRate } from './promises.ts'
import { seeded, World } from './world.ts'

const HOUR = 3_600_000
const worlds: World[] = []

function makeWorld(seed = 1): World {
  const world = new World(seeded(seed))
  worlds.push(world)
  world.start()
  return world
}

async function filledWorld(pictures: number): Promise<World> {
  const world = makeWorld()
  for (let n = 0; n < pictures; n += 1) world.add(n, n)
  await world.reconcile()
  return world
}

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose()
})

describe('the queue in a simulated world', () => {
  it('brings a folder of pictures to its end, and a second look does nothing', async () => {
    const world = await filledWorld(30)
    await world.clock.advance(10 * 60_000)
    expect(world.store.count()).toMatchObject({ done: 30, failed: 0, unknown: 0 })
    expect(world.service.charges).toHaveLength(30)
    const written = world.files.written.size
    await world.reconcile()
    await world.clock.advance(10 * 60_000)
    expect(world.service.charges).toHaveLength(30)
    expect(world.files.written.size).toBe(written)
    checkRate(world)
    checkOutputs(world)
    expect(world.problems).toEqual([])
  })

  it('sends pictures that need fewer calls at the rate that they allow, also mixed with others', async () => {
    const world = makeWorld()
    // A JPEG takes three calls, a GIF is analyzed only and takes two: 300 in all, of which a minute allows 60.
    for (let n = 0; n < 120; n += 1) world.add(n, n, n % 2 === 0 ? 'jpeg' : 'gif')
    await world.reconcile()
    await world.clock.advance(320_000)
    // At three calls each it would be 104.
    expect(world.store.count().done).toBeGreaterThanOrEqual(110)
    await world.clock.advance(60_000)
    expect(world.store.count()).toMatchObject({ done: 120 })
    checkRate(world)
    expect(world.problems).toEqual([])
  })

  it.each<{ service: string; imageIdOf: (nth: number) => string }>([
    { service: 'gives both one id', imageIdOf: (nth) => `R${nth}` },
    { service: 'gives images the ids of other jobs', imageIdOf: (nth) => `R${nth % 2 === 1 ? nth + 1 : nth - 1}` },
    { service: 'stops giving both one id', imageIdOf: (nth) => `R${nth <= 10 ? nth : nth + 1}` },
  ])('fetches each picture its own file from a service that $service', async ({ imageIdOf }) => {
    const world = await filledWorld(20)
    world.service.imageIdOf = (jobId) => imageIdOf(Number(jobId.slice(1)))
    await world.clock.advance(10 * 60_000)
    expect(world.store.count()).toMatchObject({ done: 20 })
    for (let n = 0; n < 20; n += 1) {
      const [original, result] = ['', '-optimized'].map((suffix) => world.files.disk.get(`/pictures/${n}${suffix}.jpg`))
      expect(String(result?.bytes)).toBe(`jpeg:${hashOf(original!.bytes).slice(0, 8)}`)
    }
    expect(world.problems).toEqual([])
  })

  it('makes at most a handful of pictures unknown in an outage, and resends none', async () => {
    const world = await filledWorld(50)
    world.paint('loses-answers')
    await world.clock.advance(HOUR)
    expect(world.store.count().unknown).toBeLessThanOrEqual(4)
    world.paint('fine')
    await world.clock.advance(HOUR)
    expect(world.store.count().done + world.store.count().unknown).toBe(50)
    checkCharges(world)
  })

  it('gives up a result that is gone after ten minutes', async () => {
    // With this seed the job ends between these moments, and its file is forgotten before it is fetched.
    const world = makeWorld(1_742_956_124)
    world.add(0, 0)
    await world.reconcile()
    await world.clock.advance(7130)
    world.service.forget()
    await world.clock.advance(336)
    expect(world.jobs()[0]?.reason?.code).toBe('backoff')
    await world.clock.advance(25 * 60_000)
    expect(world.jobs()[0]?.reason?.code).toBe('download_gone')
  })

  it.each([
    ['a full disk', 'disk_full', 'disk_full'],
    ['files that cannot be opened', 'EMFILE', 'too_few_files'],
  ] as const)('holds for %s, sends little more meanwhile, and goes on by itself', async (_, fault, reason) => {
    const world = await filledWorld(40)
    world.files.fault = fault
    await world.clock.advance(HOUR)
    expect(world.store.count()).toMatchObject({ done: 0, failed: 0 })
    expect(world.store.list({ states: ['held'] }).map((job) => job.reason?.code)).toContain(reason)
    expect(world.service.charges.length).toBeLessThan(40)
    world.files.fault = null
    await world.clock.advance(HOUR)
    expect(world.store.count().done).toBe(40)
    checkCharges(world)
  })

  it('stays within the rate through clock jumps of hours', async () => {
    const world = await filledWorld(60)
    for (let n = 0; n < 30; n += 1) {
      await world.clock.advance(5_000)
      world.clock.jumpMs(n % 3 === 0 ? -2 * HOUR : 2 * HOUR)
      await world.crash()
      world.start()
    }
    await world.clock.advance(2 * HOUR)
    checkRate(world)
    checkCharges(world)
  })
})
