import { describe, expect, it } from 'vitest'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { quiet } from '../simulation/world.ts'
import { ask, RECIPE, refusal, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

it('stores a key for the address it was given for, and for no other that is in use by then', async () => {
  const engine = await world.engine(world.newDataFolder())
  const known = await world.secrets.get('image', world.origin)
  const key = 'a-key-for-another-service'
  for (const address of ['https://images.example/api/v1', 'https://images.example', 'no address'])
    expect((await refusal(engine, 'keys.set', { name: 'image', key, address })).code, address).toBe('bad_request')
  expect(await world.secrets.get('image', world.origin)).toBe(known)
  expect(await world.secrets.get('image', 'https://images.example')).toBeNull()
  for (const address of [world.practice.imageBaseUrl, world.origin, undefined])
    await ask(engine, 'keys.set', { name: 'image', key, keepRefused: true, ...(address !== undefined && { address }) })
  expect(await world.secrets.get('image', world.origin)).toBe(key)
  await ask(engine, 'keys.set', { name: 'chargers', key, keepRefused: true, address: world.practice.chargerBaseUrl })
  expect(await world.secrets.get('chargers', new URL(world.practice.chargerBaseUrl).origin)).toBe(key)
})

it('deletes the key of the address that is named, also when another is in use by then', async () => {
  const engine = await world.engine(world.newDataFolder())
  const inUse = await world.secrets.get('image', world.origin)
  const elsewhere = 'https://images.example'
  await world.secrets.set('image', elsewhere, 'a-key-for-another-service')
  await ask(engine, 'keys.delete', { name: 'image', address: `${elsewhere}/api/v1` })
  expect(await world.secrets.get('image', elsewhere)).toBeNull()
  expect(await world.secrets.get('image', world.origin)).toBe(inUse)
  await ask(engine, 'keys.delete', { name: 'image' })
  expect(await world.secrets.get('image', world.origin)).toBeNull()
})

const WRONG = 'wrong-key-wrong-key'
const chargerOrigin = () => new URL(world.practice.chargerBaseUrl).origin
const storedOf = (name: 'image' | 'chargers') =>
  world.secrets.get(name, name === 'image' ? world.origin : chargerOrigin())

describe.each(['image', 'chargers'] as const)('a key that is given for the %s service', (name) => {
  const right = () => (name === 'image' ? world.practice.apiKey : world.practice.partnerToken)

  it('is not stored when the service refuses it, and the one before stays until it is replaced all the same', async () => {
    const engine = await world.engine(world.newDataFolder())
    await ask(engine, 'keys.set', { name, key: right() })
    const before = await ask(engine, 'keys.status', { name })
    expect((await refusal(engine, 'keys.set', { name, key: WRONG })).code).toBe('key_refused')
    expect(await storedOf(name)).toBe(right())
    expect(await ask(engine, 'keys.status', { name })).toEqual(before)
    expect(engine.snapshot().service?.hold).toBeNull()
    expect(await ask(engine, 'keys.test', { name })).toEqual({ accepted: true, problem: null })
    await ask(engine, 'keys.set', { name, key: WRONG, keepRefused: true })
    const refused = { accepted: false, problem: { code: 'key_refused' } }
    expect(await ask(engine, 'keys.test', { name })).toMatchObject(refused)
    await ask(engine, 'keys.delete', { name })
    expect((await ask(engine, 'keys.test', { name })).accepted).toBe(false)
  })

  it('is stored when it is accepted, after one free call', async () => {
    await world.secrets.delete('image', world.origin)
    const engine = await world.engine(world.newDataFolder())
    const earlier = world.practice.ledger().requests.length
    const set = await ask(engine, 'keys.set', { name, key: ` ${right()}\n` })
    expect(set).toMatchObject({
      present: true,
      check: 'accepted',
      problem: null,
      place: 'memory',
      because: 'no_service',
    })
    expect(await storedOf(name)).toBe(right())
    const asked = world.practice.ledger().requests.slice(earlier)
    expect(asked.filter(({ route }) => route === (name === 'image' ? 'balance' : 'charge-points'))).toHaveLength(1)
  })

  it('is stored, and said to be unchecked, when the service gives no useful answer', async () => {
    const overrides = { imageBaseUrl: 'http://127.0.0.1:9/api/v1', chargerBaseUrl: 'http://127.0.0.1:9' }
    const engine = await world.engine(world.newDataFolder(), { overrides })
    const set = await ask(engine, 'keys.set', { name, key: WRONG })
    expect(set).toMatchObject({ present: true, check: 'unchecked', problem: { code: 'service_unreachable' } })
    expect(await world.secrets.get(name, 'http://127.0.0.1:9')).toBe(WRONG)
  })

  it('is given to the log to be hidden before it is tried', async () => {
    const hidden: string[] = []
    const askedBefore: number[] = []
    const hideSecret = (secret: string) => {
      hidden.push(secret)
      askedBefore.push(world.practice.ledger().requests.filter(({ keyId }) => keyId === null).length)
    }
    const engine = await world.engine(world.newDataFolder(), { log: { ...quiet, hideSecret } })
    await engine.call('keys.set', { name, key: WRONG })
    expect(hidden).toContain(WRONG)
    expect(askedBefore[hidden.indexOf(WRONG)]).toBe(0)
  })
})

it('a key that is refused and kept all the same holds what is to be sent', async () => {
  await world.addPicture('a.jpg', 1)
  const engine = await world.engine(world.newDataFolder())
  const set = await ask(engine, 'keys.set', { name: 'image', key: WRONG, keepRefused: true })
  expect(set).toMatchObject({ check: 'refused', problem: { code: 'key_refused' } })
  expect(engine.snapshot().service?.hold?.code).toBe('key_refused')
  await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
  await until(engine, 'it is held', async () => (await ask(engine, 'jobs.counts', {})).counts.held === 1)
  expect(world.practice.ledger().requests.filter(({ method }) => method === 'POST')).toEqual([])
  await ask(engine, 'keys.set', { name: 'image', key: world.practice.apiKey })
  await until(engine, 'it is done', async () => (await ask(engine, 'jobs.counts', {})).counts.done === 1)
})

it('a key is unchecked when the service takes too long, without waiting for it', async () => {
  await world.practice.control({
    type: 'add-weather',
    rules: [{ on: 'any', effect: { kind: 'stall', when: 'before-work' } }],
  })
  const delays: number[] = []
  const clock = {
    ...realClock,
    setTimer: (delayMs: number, then: () => void) => {
      delays.push(delayMs)
      return realClock.setTimer(delayMs === 15_000 ? 100 : delayMs, then)
    },
  }
  const engine = await world.engine(world.newDataFolder(), { clock })
  const set = await ask(engine, 'keys.set', { name: 'image', key: world.practice.apiKey })
  expect(delays).toContain(15_000)
  expect(set).toMatchObject({ check: 'unchecked', problem: { code: 'service_unreachable' } })
})
