import { expect, it, onTestFinished } from 'vitest'
import { say } from '../../src/shared/sentences/sentence.ts'
import { EngineWorld } from './engine-harness.ts'

it('are refused with the member that does not fit and why, in words of our own', async () => {
  const world = await EngineWorld.open()
  onTestFinished(() => world.close())
  const engine = await world.engine(world.newDataFolder())
  const refused = async (change: object) => {
    const answer = await engine.call('settings.set', change)
    return answer.ok ? null : answer.error.sentence
  }
  const where = 'requestsPerMinute'
  for (const [given, why] of [
    [0, say('value_at_least', { least: 1 })],
    [60_001, say('value_at_most', { most: 60_000 })],
    ['many', say('value_unfit')],
    [1.5, say('value_unfit')],
  ] as const)
    expect(await refused({ requestsPerMinute: given })).toEqual(say('request_invalid', { where, why }))
})
