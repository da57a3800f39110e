import { mkdir, rename } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { realClock } from '../../src/main/engine/real-clock.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import type { Clock } from '../../src/shared/runtime/ports.ts'
import { itWith, LINUX } from '../needs.ts'
import { until } from '../until.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

/** Events are told within milliseconds; without them both would be seen after a minute. */
const SOON_MS = 30_000

/** The real clock, with the delays of the timers that are set. */
function watchedClock(): Clock & { pending: Map<symbol, number> } {
  const pending = new Map<symbol, number>()
  return {
    ...realClock,
    pending,
    setTimer(delayMs, callback) {
      const timer = Symbol('timer')
      pending.set(timer, delayMs)
      const cancel = realClock.setTimer(delayMs, () => {
        pending.delete(timer)
        callback()
      })
      return () => {
        pending.delete(timer)
        cancel()
      }
    },
  }
}

openWorldForEachTest()

describe('an engine with nothing to do', () => {
  let dataDir: string
  let engine: Engine
  let clock: ReturnType<typeof watchedClock>
  beforeEach(async () => {
    dataDir = world.newDataFolder()
    clock = watchedClock()
    engine = await world.engine(dataDir, { clock, watch: true, overrides: { imageBaseUrl: null } })
  })

  it('has no timer that fires within a minute', async () => {
    const short = () => [...clock.pending.values()].filter((delayMs) => delayMs <= 60_000)
    await until('nothing fires soon', () => short().length === 0, {
      patienceMs: SOON_MS,
      describe: () => `: ${short().join(', ')}`,
    })
  })

  itWith(LINUX)('gives up at once when its data folder is replaced', async () => {
    const stop = new AbortController()
    const broken = engine.untilBroken(stop.signal)
    await rename(dataDir, `${dataDir}-aside`)
    await mkdir(dataDir)
    const late = setTimeout(() => stop.abort(), SOON_MS)
    expect(await broken).toMatchObject({ code: 'data_folder_gone' })
    clearTimeout(late)
  })
})
