import { expect, it } from 'vitest'
import { createInFlight } from '../../src/main/core/in-flight.ts'
import { EngineEvents } from '../../src/main/engine/engine-events.ts'
import { startUpkeep } from '../../src/main/engine/upkeep.ts'
import { makeJob } from '../queue/make-job.ts'
import { bench, makeBenchForEachTest } from '../queue/bench-for-each-test.ts'
import { folderForTest } from '../temp-folder.ts'

makeBenchForEachTest()

it('goes on with what was kept long enough until nothing of it is left, and not only at its next hour', async () => {
  const { background, context, store } = bench
  const kept = makeJob({ state: 'done', updatedAtMs: bench.clock.nowMs() })
  store.insert(kept)
  for (let n = 0; n < 450; n += 1) store.insert(makeJob({ state: 'done', updatedAtMs: 1000 }))
  const events = new EngineEvents(context.log)
  const removed: number[] = []
  events.subscribe((event) => event.type === 'removed' && removed.push(event.jobs))
  const rest = { fileWork: createInFlight(), stopping: new AbortController().signal, writesTexts: false }
  const stop = startUpkeep({ dataDir: folderForTest(), context, background, events, ...rest })
  try {
    await bench.clock.advance(3000)
    expect(store.list().map(({ id }) => id)).toEqual([kept.id])
    expect(removed).toEqual([200, 200, 50])
  } finally {
    stop()
  }
})
