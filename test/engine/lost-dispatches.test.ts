import { expect, it } from 'vitest'
import type { OddService } from '../odd-service.ts'
import { ask, RECIPE, until } from './engine-harness.ts'
import { engine, openOddWorldForEachTest, service, startOddEngine, world } from './world-for-each-test.ts'

let dataDir: string
openOddWorldForEachTest(
  Array.from({ length: 12 }, (_, n) => `${n}.jpg`),
  () => (dataDir = world.newDataFolder()),
)

/** Where in the order of all requests the last one stands that begins so. */
const last = ({ asked }: OddService, what: string) => asked.findLastIndex((each) => each.startsWith(what))

/** What each of several starts has sent in all, of pictures whose answers are lost, with the key of each start. */
async function lostByStarts(starts: readonly { key: string; sent: number }[]): Promise<void> {
  service.onDispatch = (_, response) => {
    response.destroy()
    return true
  }
  for (const [start, { key, sent }] of starts.entries()) {
    await world.secrets.set('image', service.origin, key)
    const recipe = { ...RECIPE, operation: 'optimize' as const }
    if (start === 0) await ask(engine, 'intake.add', { paths: [world.pictures], recipe, confirmed: true })
    else await startOddEngine(dataDir)
    const unknown = async () => (await ask(engine, 'jobs.list', { states: ['unknown'] })).jobs.length
    await until(engine, 'the dispatches of this start are lost', async () => (await unknown()) >= sent)
    // A free call opens the gate that each of them closes: from here on only the count of lost ones holds the rest back.
    await until(engine, 'a free call is answered', () => last(service, 'GET /credits/balance') > last(service, 'POST'))
    await world.stop(engine)
    expect(service.jobs).toHaveLength(sent)
  }
}

it('lost by earlier starts count: four in all, and one for each start after that', () =>
  lostByStarts([4, 5, 6].map((sent) => ({ key: 'key', sent }))))

it('are counted for each account, also when its key was changed while Hangar was off', () =>
  lostByStarts([
    { key: 'key', sent: 4 },
    { key: 'another', sent: 8 },
    { key: 'key', sent: 9 },
  ]))
