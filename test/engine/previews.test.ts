import { dirname } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { realClock } from '../../src/main/engine/real-clock.ts'
import type { Clock } from '../../src/shared/runtime/ports.ts'
import { ask, RECIPE } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

/** How long the first answer waits for all to be inspected. */
const ANSWER_MS = 250

/** Seconds are a hundred times as long, so that a busy machine has the time to inspect all; the first answer comes at once. */
const patient: Clock = {
  ...realClock,
  monotonicMs: () => realClock.monotonicMs() / 100,
  setTimer: (delayMs, callback) =>
    realClock.setTimer(delayMs === ANSWER_MS ? 0 : delayMs < 5000 ? delayMs : 100 * delayMs, callback),
}

openWorldForEachTest()

beforeEach(async () => {
  for (let n = 0; n < 80; n += 1) await world.addPicture(`${n}.jpg`, n)
})

describe('a preview of many pictures', () => {
  const order = () => ({ paths: [world.pictures], recipe: RECIPE })

  it('answers within a moment, then says more and more, and gives a price when it is complete', async () => {
    const engine = await world.engine(world.newDataFolder(), { clock: patient })
    let seen = await ask(engine, 'intake.preview', order())
    expect(seen.progress).not.toBeNull()
    expect(seen).toMatchObject({ price: null, held: null })
    const inspected: number[] = []
    while (seen.progress !== null) {
      inspected.push(seen.progress.inspected)
      if (seen.progress.of !== null) expect(seen).toMatchObject({ progress: { of: 80 }, pictures: 80 })
      seen = await ask(engine, 'intake.morePreview', { id: seen.progress.id })
    }
    expect(inspected).toEqual(inspected.toSorted((one, other) => one - other))
    expect(seen).toMatchObject({ pictures: 80, toSend: 80, estimated: false, price: { shortfall: 0 } })
    expect(new Set(seen.first.map((path) => dirname(path)))).toEqual(new Set([world.pictures]))
    expect(new Set(seen.first).size).toBe(6)
    expect(world.charges).toHaveLength(0)
  })

  it('does not keep an engine from stopping', async () => {
    const engine = await world.engine(world.newDataFolder(), { clock: patient })
    expect((await ask(engine, 'intake.preview', order())).progress).not.toBeNull()
    await world.stop(engine)
  })
})
