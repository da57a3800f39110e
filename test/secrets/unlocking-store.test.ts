import { expect, it } from 'vitest'
import { createMemoryStore, createUnlockingStore } from '../../src/main/secrets/stores.ts'
import { quiet } from '../simulation/world.ts'
import { ManualClock } from '../watch/manual-clock.ts'

const HERE = 'https://images.example.com'
const THERE = 'https://other.example.com'

function locked() {
  const clock = new ManualClock()
  const keychain = createMemoryStore('no_service')
  const stop = new AbortController()
  const seen = { isOpen: false, fails: false, looks: 0, used: 0 }
  const store = createUnlockingStore(
    {
      ...keychain,
      set: (...key) => (seen.fails ? Promise.reject(new Error('not now')) : keychain.set(...key)),
      describe: async () => ({ place: 'keychain', because: null }),
    },
    'locked',
    {
      clock,
      log: quiet,
      isUnlocked: async () => {
        seen.looks += 1
        return seen.isOpen
      },
      onUsable: () => (seen.used += 1),
      signal: stop.signal,
    },
  )
  return { clock, keychain, store, seen, stop }
}

it('a keychain that is unlocked later is used, with what it held and the keys given meanwhile', async () => {
  const { clock, keychain, store, seen } = locked()
  await keychain.set('image', HERE, 'older')
  await keychain.set('image', THERE, 'kept')
  expect(await store.get('image', HERE)).toBe(null)
  await store.set('image', HERE, 'newer')
  await clock.pass(60_000)
  expect(await store.describe('image', HERE)).toEqual({ place: 'memory', because: 'locked' })
  expect(seen.used).toBe(0)
  seen.isOpen = true
  await clock.pass(5000)
  expect(await store.describe('image', HERE)).toEqual({ place: 'keychain', because: null })
  expect([await store.get('image', HERE), await store.get('image', THERE)]).toEqual(['newer', 'kept'])
  const { looks } = seen
  await clock.pass(60_000)
  expect(seen).toMatchObject({ used: 1, looks })
})

it('a key given meanwhile is not lost when the keychain does not take it', async () => {
  const { clock, store, seen } = locked()
  await store.set('image', HERE, 'given')
  Object.assign(seen, { isOpen: true, fails: true })
  await clock.pass(20_000)
  expect(await store.get('image', HERE)).toBe('given')
  expect(seen.used).toBe(0)
  seen.fails = false
  await clock.pass(5000)
  expect(seen.used).toBe(1)
  expect(await store.get('image', HERE)).toBe('given')
})

it('a locked keychain is no longer looked at once Hangar ends', async () => {
  const { clock, seen, stop } = locked()
  stop.abort()
  await clock.pass(60_000)
  expect(seen.looks).toBe(0)
})
