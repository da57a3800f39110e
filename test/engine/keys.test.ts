import { afterEach, beforeEach, expect, it } from 'vitest'
import { ask, EngineWorld } from './engine-harness.ts'

let world: EngineWorld

beforeEach(async () => {
  world = await EngineWorld.open()
})

afterEach(() => world.close())

it('stores a key for the address it was given for, and for no other that is in use by then', async () => {
  const engine = await world.engine(world.newDataFolder())
  const known = await world.secrets.get('image', world.origin)
  const key = 'a-key-for-another-service'
  for (const address of ['https://images.example/api/v1', 'https://images.example', 'no address'])
    expect(await engine.call('keys.set', { name: 'image', key, address }), address).toMatchObject({
      ok: false,
      error: { code: 'bad_request' },
    })
  expect(await world.secrets.get('image', world.origin)).toBe(known)
  expect(await world.secrets.get('image', 'https://images.example')).toBeNull()
  for (const address of [world.practice.imageBaseUrl, world.origin, undefined])
    await ask(engine, 'keys.set', { name: 'image', key, ...(address !== undefined && { address }) })
  expect(await world.secrets.get('image', world.origin)).toBe(key)
  await ask(engine, 'keys.set', { name: 'chargers', key, address: world.practice.chargerBaseUrl })
  expect(await world.secrets.get('chargers', new URL(world.practice.chargerBaseUrl).origin)).toBe(key)
})
