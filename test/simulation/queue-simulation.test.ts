import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Db } from '../../src/main/journal/journal.ts'
import { hashOf } from './memory-files.ts'
import { World } from './world.ts'

const HOUR = 3_600_000
const worlds: World[] = []

/** Dispatches that reached the service or may have: what its ledger should show. */
function dispatchTotals(db: Db, serviceId: string): { accepted: number; unknown: number } {
  const count = (...outcomes: string[]) =>
    db
      .prepare<string[], number>(
        `SELECT count(*) FROM dispatches WHERE service_id = ? AND outcome IN (${outcomes.map(() => '?').join(', ')})`,
      )
      .pluck(true)
      .get(serviceId, ...outcomes) ?? 0
  return { accepted: count('accepted'), unknown: count('unknown', 'open') }
}

/** A small linear generator: the same seed gives the same world. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function makeWorld(seed = 1): World {
  const world = new World(seeded(seed))
  worlds.push(world)
  world.start()
  return world
}

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose()
})

/** Each charge beyond the first for the same content must have been approved. */
function checkCharges(world: World): void {
  const repeated = world.service.charges.length - new Set(world.service.charges).size
  expect(repeated, 'charges nobody approved').toBeLessThanOrEqual(world.approved)
}

function checkRate(world: World): void {
  const times = world.service.countedAtMs
  for (let n = 60; n < times.length; n += 1)
    expect(times[n]! - times[n - 60]!, 'calls in a minute').toBeGreaterThanOrEqual(60_000)
}

function checkOutputs(world: World): void {
  const sources = new Set(
    world
      .jobs()
      .filter((job) => job.state !== 'skipped')
      .map((job) => job.source.path),
  )
  for (const [path, sha256] of world.files.written) {
    expect(sources.has(path), `${path} is an output and was taken in`).toBe(false)
    const there = world.files.disk.get(path)
    if (there !== undefined) expect(hashOf(there.bytes)).toBe(sha256)
  }
  const parts = [...world.files.disk.keys()].filter((path) => path.includes('/.hangar-'))
  expect(parts, 'parts left behind').toEqual([])
}

describe('the queue in a simulated world', () => {
  it('brings a folder of pictures to its end, and a second look does nothing', async () => {
    const world = makeWorld()
    for (let n = 0; n < 30; n += 1) world.add(n, n)
    await world.reconcile()
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
    const world = makeWorld()
    world.service.imageIdOf = (jobId) => imageIdOf(Number(jobId.slice(1)))
    for (let n = 0; n < 20; n += 1) world.add(n, n)
    await world.reconcile()
    await world.clock.advance(10 * 60_000)
    expect(world.store.count()).toMatchObject({ done: 20 })
    for (let n = 0; n < 20; n += 1) {
      const [original, result] = ['', '-optimized'].map((suffix) => world.files.disk.get(`/pictures/${n}${suffix}.jpg`))
      expect(String(result?.bytes)).toBe(`jpeg:${hashOf(original!.bytes).slice(0, 8)}`)
    }
    expect(world.problems).toEqual([])
  })

  it('pays once for the same picture in many places', async () => {
    const world = makeWorld()
    for (let n = 0; n < 8; n += 1) world.add(n, 7)
    await world.reconcile()
    await world.clock.advance(10 * 60_000)
    expect(world.store.count().done).toBe(8)
    expect(world.service.charges).toHaveLength(1)
  })

  it('makes at most a handful of pictures unknown in an outage, and resends none', async () => {
    const world = makeWorld()
    for (let n = 0; n < 50; n += 1) world.add(n, n)
    await world.reconcile()
    world.paint('loses-answers')
    await world.clock.advance(HOUR)
    expect(world.store.count().unknown).toBeLessThanOrEqual(4)
    world.paint('fine')
    await world.clock.advance(HOUR)
    expect(world.store.count().done + world.store.count().unknown).toBe(50)
    checkCharges(world)
  })

  it('gives up a result that is gone after ten minutes, also when the clock was set back meanwhile', async () => {
    // With this seed the job ends between these moments, and its file is forgotten before it is fetched.
    const world = makeWorld(1_742_956_124)
    world.add(0, 0)
    await world.reconcile()
    await world.clock.advance(7130)
    world.service.forget()
    await world.clock.advance(336)
    expect(world.jobs()[0]?.reason?.code).toBe('backoff')
    world.clock.jumpWall(-2 * HOUR)
    await world.clock.advance(25 * 60_000)
    expect(world.jobs()[0]?.reason?.code).toBe('download_gone')
  })

  it('holds everything while the key is refused and goes on when it is not', async () => {
    const world = makeWorld()
    for (let n = 0; n < 5; n += 1) world.add(n, n)
    world.paint('refuses-key')
    await world.reconcile()
    await world.clock.advance(60_000)
    expect(world.store.count().held).toBe(5)
    expect(world.jobs()[0]?.reason?.code).toBe('key_refused')
    world.paint('fine')
    await world.clock.advance(HOUR)
    expect(world.store.count().done).toBe(5)
  })

  it('holds for credits when they run out and goes on when they are topped up', async () => {
    const world = makeWorld()
    world.service.credits = 2
    for (let n = 0; n < 5; n += 1) world.add(n, n)
    await world.reconcile()
    await world.clock.advance(10 * 60_000)
    expect(world.store.count()).toMatchObject({ done: 2, held: 3, failed: 0 })
    world.service.credits = 100
    await world.clock.advance(HOUR)
    expect(world.store.count().done).toBe(5)
  })

  it('holds for a full disk, sends little more meanwhile, and goes on when there is room', async () => {
    const world = makeWorld()
    for (let n = 0; n < 40; n += 1) world.add(n, n)
    world.files.fault = 'disk_full'
    await world.reconcile()
    await world.clock.advance(HOUR)
    expect(world.store.count().done).toBe(0)
    expect(world.service.charges.length).toBeLessThan(40)
    world.files.fault = null
    await world.clock.advance(HOUR)
    expect(world.store.count().done).toBe(40)
    checkCharges(world)
  })

  it('fails no picture when the address is wrong', async () => {
    const world = makeWorld()
    world.paint('elsewhere')
    for (let n = 0; n < 5; n += 1) world.add(n, n)
    await world.reconcile()
    await world.clock.advance(HOUR)
    expect(world.store.count()).toMatchObject({ held: 5, failed: 0 })
    world.paint('fine')
    await world.clock.advance(HOUR)
    expect(world.store.count().done).toBe(5)
  })

  it('stays within the rate through clock jumps of hours', async () => {
    const world = makeWorld()
    for (let n = 0; n < 60; n += 1) world.add(n, n)
    await world.reconcile()
    for (let n = 0; n < 30; n += 1) {
      await world.clock.advance(5_000)
      world.clock.jumpWall(n % 3 === 0 ? -2 * HOUR : 2 * HOUR)
      await world.crash()
      world.start()
    }
    await world.clock.advance(2 * HOUR)
    checkRate(world)
    checkCharges(world)
  })

  const action = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('add' as const),
        nth: fc.nat(9),
        content: fc.nat(9),
        type: fc.constantFrom('jpeg' as const, 'png' as const, 'gif' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), nth: fc.nat(9) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('reconcile' as const) }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 120_000 }) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('weather' as const),
        is: fc.constantFrom('fine', 'down', 'loses-answers', 'errors', 'rate-limits', 'refuses-key', 'elsewhere'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('disk' as const),
        is: fc.constantFrom('disk_full' as const, 'not_writable' as const, null),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -2 * HOUR, max: 2 * HOUR }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('credits' as const), to: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('command' as const),
        what: fc.constantFrom(
          'cancel' as const,
          'retry' as const,
          'resend' as const,
          'drop' as const,
          'reopen' as const,
          'fetchAgain' as const,
        ),
        nth: fc.nat(20),
      }),
    },
  )
  type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

  async function perform(world: World, step: Action): Promise<void> {
    if (step.do === 'crash') await world.crash()
    else if (step.do === 'stop') await world.stop()
    else if (step.do === 'wait') await world.clock.advance(step.ms)
    else if (step.do === 'jump') world.clock.jumpWall(step.ms)
    else if (step.do === 'weather') world.paint(step.is)
    else if (step.do === 'disk') world.files.fault = step.is
    else if (step.do === 'credits') world.service.credits = step.to
    else if (step.do === 'forget') world.service.forget()
    else if (step.do === 'add') world.add(step.nth, step.content, step.type)
    else if (step.do === 'remove') world.remove(step.nth)
    else if (step.do === 'command') world.command(step.what, step.nth)
    else await world.reconcile()
    if (step.do !== 'crash' && step.do !== 'stop') world.start()
  }

  it('keeps every promise whatever happens in whatever order', async () => {
    const numRuns = process.env['HANGAR_FAULTS'] === 'all' ? 10_000 : 300
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30 }), fc.nat(), async (steps, seed) => {
        const world = new World(seeded(seed))
        try {
          world.start()
          for (const step of steps) await perform(world, step)
          // The faults stop: everything that was seen must come to an end.
          world.start()
          world.paint('fine')
          world.files.fault = null
          world.service.credits = 1000
          await world.clock.advance(HOUR)
          await world.reconcile()
          await world.clock.advance(HOUR)
          const left = world.unfinished().map((job) => `${job.state} ${job.reason?.code ?? ''} ${job.source.path}`)
          expect(left).toEqual([])
          expect(world.problems).toEqual([])
          checkCharges(world)
          checkRate(world)
          checkOutputs(world)
          const { accepted, unknown } = dispatchTotals(world.db, 'https://images.example')
          expect(world.service.charges.length, 'charges are known here').toBeLessThanOrEqual(accepted + unknown)
          expect(accepted, 'nothing is shown as spent that was not').toBeLessThanOrEqual(world.service.charges.length)
        } finally {
          await world.dispose()
        }
      }),
      { numRuns },
    )
  }, 7_200_000)
})
