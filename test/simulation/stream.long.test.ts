import { afterEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../bench/rate/seeded-random.ts'
import { checkRate } from './promises.ts'
import type { SimulatedService } from './simulated-service.ts'
import { OTHER_SERVICE, World } from './world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** Three calls of the 60 a minute, as they come back. */
const PACE_MS = 3 * SECOND
/** Dispatches that may leave ahead of the pace: 24 s of them. */
const ADVANCE = 8
/** In the first minute after an interruption the pipeline fills. */
const FILLS_MS = MINUTE
const FEWEST_A_MINUTE = 12
/** When a backlog has come to its pace. */
const SETTLED_MS = 2 * MINUTE

const worlds: World[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose()
})

/** A backlog in the middle of its stream. */
async function streaming(pictures = 170): Promise<World> {
  const world = new World(seededRandom(7))
  worlds.push(world)
  world.start()
  for (let n = 0; n < pictures; n += 1) world.add(n, n)
  await world.reconcile()
  await world.clock.advance(SETTLED_MS)
  expect(world.store.count().done).toBeGreaterThanOrEqual(FEWEST_A_MINUTE)
  return world
}

/** The most dispatches of `times` within any `windowMs`, from a moment on. */
function mostDispatches(service: SimulatedService, fromMs: number, windowMs: number): number {
  const times = service.dispatchedAtMs.filter((atMs) => atMs >= fromMs)
  return Math.max(
    0,
    ...times.map((firstMs) => times.filter((atMs) => atMs >= firstMs && atMs < firstMs + windowMs).length),
  )
}

interface Expected {
  /** In the first seconds; later on slots that were scarce may have left as many as the advance to make up for. */
  aheadAtFirst?: number
  service?: SimulatedService
}

/** For three minutes from now on: no burst at any moment, and after the first minute results at the pace. */
async function continuesAsAStream(
  world: World,
  { aheadAtFirst = ADVANCE, service = world.service }: Expected = {},
): Promise<void> {
  const fromMs = world.clock.monotonicMs()
  await world.clock.advance(FILLS_MS)
  for (let minute = 1; minute <= 2; minute += 1) {
    const before = world.store.count().done
    await world.clock.advance(MINUTE)
    expect(world.store.count().done - before, `results in minute ${minute} after it`).toBeGreaterThanOrEqual(
      FEWEST_A_MINUTE,
    )
  }
  for (const windowMs of [2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND]) {
    const inPace = Math.ceil(windowMs / PACE_MS) + 1
    const atFirst = service.dispatchedAtMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + windowMs)
    expect(atFirst.length, `dispatches in the first ${windowMs} ms`).toBeLessThanOrEqual(aheadAtFirst + inPace)
    const most = mostDispatches(service, fromMs, windowMs)
    expect(most, `dispatches in any ${windowMs} ms`).toBeLessThanOrEqual(ADVANCE + inPace)
  }
  checkRate({ service })
}

describe('a backlog is a stream', () => {
  it('and its beginning is no burst', async () => {
    const world = await streaming()
    expect(mostDispatches(world.service, 0, 10 * SECOND)).toBeLessThanOrEqual(ADVANCE + 5)
    await continuesAsAStream(world)
  })

  it.each([0, 30 * SECOND, 10 * MINUTE])(
    'through a crash and a restart after %i ms, which has no advance',
    async (awayMs) => {
      const world = await streaming()
      await world.crash()
      await world.clock.advance(awayMs)
      world.start()
      await continuesAsAStream(world, { aheadAtFirst: 0 })
      expect(world.store.count().unknown).toBeLessThanOrEqual(4)
    },
  )

  it.each([20 * SECOND, 5 * MINUTE])('through a pause of %i ms by the person', async (pausedMs) => {
    const world = await streaming()
    world.set({ paused: true })
    const sent = world.service.dispatchedAtMs.length
    await world.clock.advance(pausedMs)
    expect(world.service.dispatchedAtMs.length - sent).toBeLessThanOrEqual(1)
    world.set({ paused: false })
    await continuesAsAStream(world)
  })

  it('through refusals with 429', async () => {
    const world = await streaming()
    world.paint('rate-limits')
    await world.clock.advance(2 * SECOND)
    world.paint('fine')
    await continuesAsAStream(world)
    expect(world.store.count()).toMatchObject({ failed: 0, unknown: 0 })
  })

  it('through an outage, in which little comes into doubt', async () => {
    const world = await streaming()
    world.paint('loses-answers')
    await world.clock.advance(2 * MINUTE)
    world.paint('fine')
    // Until a free call is answered nothing is sent.
    await world.clock.advance(MINUTE)
    await continuesAsAStream(world)
    expect(world.store.count().unknown).toBeLessThanOrEqual(4)
  })

  it('at two services side by side, each at its own pace', async () => {
    const world = await streaming()
    for (let n = 1000; n < 1120; n += 1) world.add(n, n)
    await world.reconcile(OTHER_SERVICE)
    const [before, doneBefore] = [world.service.dispatchedAtMs.length, world.store.count().done]
    await continuesAsAStream(world, { service: world.otherService })
    expect(mostDispatches(world.service, SETTLED_MS, 10 * SECOND)).toBeLessThanOrEqual(ADVANCE + 5)
    // Neither is slower for the other.
    expect(world.service.dispatchedAtMs.length - before).toBeGreaterThanOrEqual(3 * FEWEST_A_MINUTE)
    expect(world.store.count().done - doneBefore).toBeGreaterThanOrEqual(5 * FEWEST_A_MINUTE)
  })
})
