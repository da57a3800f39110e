import type { ChildPort, Clock, SecretName, SecretStore } from '../../shared/runtime/ports.ts'
import { createKeychainStore } from './keychain-store.ts'
import { probeKeychain } from './probe-keychain.ts'
import { createEnvironmentStore, createMemoryStore, createUnlockingStore, forwardTo, type Unlocking } from './stores.ts'

/** A locked keychain may never answer, and Hangar has to start within five seconds. */
const PROBE_TIMEOUT_MS = 4000

interface SecretsOptions {
  children: ChildPort
  clock: Clock
  /** From `takeEnvironmentKeys`. */
  keys: Partial<Record<SecretName, string>>
  /** The origins that this start is configured for; a key from the environment serves only these. */
  origins: Partial<Record<SecretName, string>>
  /** Gets each key that comes out or goes in, for the log's redactor. */
  seen: (secret: string) => void
  probeTimeoutMs?: number
  /** For a program that goes on: a keychain that is locked at the start is used once it is unlocked. */
  unlocking?: Unlocking
}

/**
 * The keys of the environment, then those of the keychain or, when a probe finds it unusable, of memory; `describe` says which and why.
 * Nothing is written to a file. The keychain is probed when it is first needed: with keys from the environment it asks nobody anything.
 */
export function openSecrets(options: SecretsOptions): SecretStore {
  const { children, clock, keys, origins, seen, unlocking, probeTimeoutMs = PROBE_TIMEOUT_MS } = options
  const environment = createEnvironmentStore(keys, origins)
  const open = async (): Promise<SecretStore> => {
    const outcome = await probeKeychain(children, clock, probeTimeoutMs)
    const keychain = createKeychainStore(clock)
    if (outcome === 'usable') return keychain
    const mayOpen = outcome === 'locked' || outcome === 'silent'
    return mayOpen && unlocking !== undefined
      ? createUnlockingStore(keychain, outcome, unlocking)
      : createMemoryStore(outcome)
  }
  let opening: Promise<SecretStore> | null = null
  // A key stored underneath one from the environment would look saved and never be used.
  const store = forwardTo(async (name, origin) =>
    origin !== null && (await environment.get(name, origin)) !== null ? environment : (opening ??= open()),
  )
  return {
    ...store,
    get: async (name, origin) => {
      const key = await store.get(name, origin)
      if (key !== null) seen(key)
      return key
    },
    set: (name, origin, secret) => {
      seen(secret)
      return store.set(name, origin, secret)
    },
  }
}
