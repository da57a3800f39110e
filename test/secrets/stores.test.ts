import { execFileSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { checkKey, keyAccount, keyFingerprint } from '../../src/main/secrets/key.ts'
import { createKeychainStore, type Keychain } from '../../src/main/secrets/keychain-store.ts'
import { createEnvironmentStore, createMemoryStore } from '../../src/main/secrets/stores.ts'
import { takeEnvironmentKeys } from '../../src/main/secrets/take-environment-keys.ts'
import type { Clock } from '../../src/shared/runtime/ports.ts'
import { say } from '../../src/shared/sentences/sentence.ts'
import { folderForTest } from '../temp-folder.ts'

const HERE = 'https://images.example.org'
const KEY = 'key-1234567890'

let folder = ''
beforeEach(() => {
  folder = folderForTest()
})

async function keyFile(text: string | Uint8Array, mode = 0o600): Promise<string> {
  const file = path.join(folder, 'key')
  await writeFile(file, text)
  await chmod(file, mode)
  return file
}

const badRequest = (message: RegExp) =>
  expect.objectContaining({ code: 'bad_request', message: expect.stringMatching(message) as string }) as Error

describe('checking a key', () => {
  it('takes white space off both ends and nothing else', () => {
    expect(checkKey(`  ${KEY}\r\n`, say('key_named'))).toBe(KEY)
  })

  it.each([
    ['nothing', ' \n'],
    ['two lines', 'abc\ndef'],
    ['a space', 'abc def'],
    ['a letter outside ASCII', 'abcé'],
    ['a NUL', 'abc\0def'],
    ['4097 characters', 'k'.repeat(4097)],
  ])('refuses %s', (_what, text) => {
    expect(() => checkKey(text, say('key_named'))).toThrow(badRequest(/is not a key/))
  })

  it('never repeats a refused key in the error', () => {
    const secret = 'do-not-show-this'
    for (const text of [`${secret} x`, secret.repeat(400)]) {
      expect(() => checkKey(text, say('key_named'))).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(secret) as string }) as Error,
      )
    }
  })
})

it('the account of a key is refused for anything but an exact origin', () => {
  expect(keyAccount('image', HERE)).toBe(`image|${HERE}`)
  for (const text of [
    `${HERE}/`,
    `${HERE}/api/v1`,
    'HTTPS://images.example.org',
    'images.example.org',
    'file:///x',
    '',
  ]) {
    expect(() => keyAccount('image', text)).toThrow(badRequest(/origin/))
  }
})

it('the fingerprint of a key is eight hex characters, the same for the same key and salt, another for another', () => {
  const print = keyFingerprint('salt', KEY)
  expect(print).toMatch(/^[0-9a-f]{8}$/)
  expect(keyFingerprint('salt', KEY)).toBe(print)
  expect(keyFingerprint('salt', `${KEY}1`)).not.toBe(print)
  expect(keyFingerprint('other salt', KEY)).not.toBe(print)
})

describe('keys from the environment', () => {
  it('are read and taken out of it', async () => {
    const environment: NodeJS.ProcessEnv = {
      HANGAR_API_KEY: ` ${KEY} `,
      HANGAR_CHARGER_TOKEN: 'token-1',
      PATH: '/bin',
    }
    const { keys, warnings } = await takeEnvironmentKeys(environment)
    expect(keys).toEqual({ image: KEY, chargers: 'token-1' })
    expect(warnings).toEqual([])
    expect(environment).toEqual({ PATH: '/bin' })
  })

  it('come from files as well, trimmed', async () => {
    const environment: NodeJS.ProcessEnv = { HANGAR_API_KEY_FILE: await keyFile(`${KEY}\n`) }
    expect(await takeEnvironmentKeys(environment)).toMatchObject({ keys: { image: KEY }, warnings: [] })
    expect(environment).toEqual({})
  })

  it('are refused when a variable and its file are both set, and both are taken out all the same', async () => {
    const environment: NodeJS.ProcessEnv = { HANGAR_API_KEY: KEY, HANGAR_API_KEY_FILE: await keyFile(KEY) }
    await expect(takeEnvironmentKeys(environment)).rejects.toThrow(badRequest(/Set only one/))
    expect(environment).toEqual({})
  })

  it.each([
    ['is missing', async () => path.join(folder, 'nowhere'), /HANGAR_API_KEY_FILE cannot be read \(ENOENT\)/],
    ['is a folder', async () => folder, /cannot be read \(EISDIR\)/],
    ['is larger than a key can be', async () => keyFile('k'.repeat(9000)), /is not a key/],
    ['never ends', async () => '/dev/zero', /is not a key/],
    ['is empty', async () => keyFile('\n'), /is not a key/],
    ['holds two lines', async () => keyFile('a\nb\n'), /HANGAR_API_KEY_FILE is not a key/],
  ])('are refused when the file %s', async (_what, make, message) => {
    await expect(takeEnvironmentKeys({ HANGAR_API_KEY_FILE: await make() })).rejects.toThrow(badRequest(message))
  })

  it('may come from a pipe', async () => {
    const pipe = path.join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const taken = takeEnvironmentKeys({ HANGAR_API_KEY_FILE: pipe })
    await writeFile(pipe, `${KEY}\n`)
    expect((await taken).keys).toEqual({ image: KEY })
  })

  it('raise a warning, without the place, when others can read the file', async () => {
    for (const mode of [0o640, 0o604]) {
      const { keys, warnings } = await takeEnvironmentKeys({ HANGAR_API_KEY_FILE: await keyFile(KEY, mode) })
      expect(keys).toEqual({ image: KEY })
      expect(warnings).toEqual([expect.stringContaining('HANGAR_API_KEY_FILE')])
      expect(warnings[0]).not.toContain(folder)
    }
  })

  it('raise none for a credential that systemd passes to the service', async () => {
    const file = await keyFile(KEY, 0o440)
    const environment = { HANGAR_API_KEY_FILE: file, CREDENTIALS_DIRECTORY: folder }
    expect((await takeEnvironmentKeys(environment)).warnings).toEqual([])
    await mkdir(path.join(folder, 'other'))
    const elsewhere = { HANGAR_API_KEY_FILE: file, CREDENTIALS_DIRECTORY: path.join(folder, 'other') }
    expect((await takeEnvironmentKeys(elsewhere)).warnings).toHaveLength(1)
  })

  it('serve the configured origin only and cannot be changed', async () => {
    const store = createEnvironmentStore({ image: KEY, chargers: 'token-1' }, { image: HERE })
    expect(await store.get('image', HERE)).toBe(KEY)
    expect(await store.get('image', 'https://elsewhere.example.org')).toBeNull()
    expect(await store.get('chargers', HERE)).toBeNull()
    await expect(store.set('image', HERE, 'x')).rejects.toThrow(badRequest(/when Hangar was started/))
    await expect(store.delete('image', HERE)).rejects.toThrow(badRequest(/when Hangar was started/))
  })
})

it('keys in memory behave like a map from service and origin to the last key stored', async () => {
  const name = fc.constantFrom('image' as const, 'chargers' as const)
  const origin = fc.constantFrom(HERE, `${HERE}:8443`, 'http://127.0.0.1:9')
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), name, origin, key: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('delete' as const), name, origin }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), name, origin, async (steps, askedName, askedOrigin) => {
      const store = createMemoryStore('no_service')
      let expected: string | null = null
      for (const taken of steps) {
        const sameKey = taken.name === askedName && taken.origin === askedOrigin
        if (taken.kind === 'set') await store.set(taken.name, taken.origin, taken.key)
        else await store.delete(taken.name, taken.origin)
        if (sameKey) expected = taken.kind === 'set' ? taken.key : null
      }
      expect(await store.get(askedName, askedOrigin)).toBe(expected)
    }),
  )
})

describe('a keychain that fails while Hangar runs', () => {
  const stuck: Keychain = {
    getPassword: () => new Promise(() => {}),
    setPassword: () => Promise.reject(new Error(`cannot store ${KEY}`)),
    deletePassword: () => Promise.reject(new Error('gone')),
  }
  const impatient: Clock = { ...realClock, setTimer: (_delayMs, callback) => realClock.setTimer(5, callback) }
  const unavailable = expect.objectContaining({
    code: 'secret_store_unavailable',
    message: expect.not.stringContaining(KEY) as string,
  }) as Error

  it('is given up when it does not answer', async () => {
    const store = createKeychainStore(impatient, async () => stuck)
    await expect(store.get('image', HERE)).rejects.toThrow(unavailable)
  })

  it('is reported without the key when it refuses', async () => {
    const store = createKeychainStore(impatient, async () => stuck)
    await expect(store.set('image', HERE, KEY)).rejects.toThrow(unavailable)
    await expect(store.delete('image', HERE)).rejects.toThrow(unavailable)
  })
})
