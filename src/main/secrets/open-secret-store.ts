import type { ChildPort, Clock, SecretName, SecretStore } from '../../shared/runtime/ports.ts'
import { createEnvironmentStore } from './environment-store.ts'
import { createKeychainStore } from './keychain-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { probeKeychain, type ProbeOutcome } from './probe-keychain.ts'
import { createUnlockingStore, type Unlocking } from './unlocking-store.ts'

/** A locked keychain may never answer, and Hangar is to have started within five seconds all the same. From when it was asked. */
const PROBE_TIMEOUT_MS = 4000

interface OpenSecretStoreOptions {
  children: ChildPort
  clock: Clock
  /** From `takeEnvironmentKeys`. */
  environmentKeys: Partial<Record<SecretName, string>>
  /** The origins that this start is configured for; a key from the environment serves only these. */
  origins: Partial<Record<SecretName, string>>
  probeTimeoutMs?: number
  /** For a program that goes on: a keychain that is locked at the start is used once it is unlocked. */
  unlocking?: Unlocking | undefined
}

interface OpenSecretStore extends SecretStore {
  /** Which place answers `get` for this service, or `null` when there is no key. */
  placeOf(name: SecretName, origin: string): Promise<'environment' | 'keychain' | 'memory' | null>
}

/**
 * The keys of this start: what the environment gave comes first, then the keychain or, when a probe finds none that
 * can be used, memory until the process ends; `describe` says which and why. Nothing is ever written to a file.
 * Resolves within the probe's time-out plus what starting a process takes, whatever state the keychain is in.
 */
export async function openSecretStore(options: OpenSecretStoreOptions): Promise<OpenSecretStore> {
  const { children, clock, environmentKeys, origins, unlocking, probeTimeoutMs = PROBE_TIMEOUT_MS } = options
  const outcome = await probeKeychain(children, clock, probeTimeoutMs)
  return layer(
    createEnvironmentStore(environmentKeys, origins),
    storeAfter(outcome, createKeychainStore(clock), unlocking),
  )
}

function storeAfter(outcome: ProbeOutcome, keychain: SecretStore, unlocking: Unlocking | undefined): SecretStore {
  if (outcome === 'usable') return keychain
  const mayOpen = outcome === 'locked' || outcome === 'silent'
  return mayOpen && unlocking !== undefined
    ? createUnlockingStore(keychain, outcome, unlocking)
    : createMemoryStore(outcome)
}

function layer(given: SecretStore, kept: SecretStore): OpenSecretStore {
  /** A key stored underneath one from the environment would look saved and never be used. */
  const storeFor = async (name: SecretName, origin: string): Promise<SecretStore> =>
    (await given.get(name, origin)) === null ? kept : given
  return {
    get: async (name, origin) => (await storeFor(name, origin)).get(name, origin),
    set: async (name, origin, secret) => (await storeFor(name, origin)).set(name, origin, secret),
    delete: async (name, origin) => (await storeFor(name, origin)).delete(name, origin),
    describe: async (name, origin) => (origin === null ? kept : await storeFor(name, origin)).describe(name, origin),
    placeOf: async (name, origin) => {
      const store = await storeFor(name, origin)
      return (await store.get(name, origin)) === null ? null : (await store.describe(name, origin)).place
    },
  }
}
