import type { KeychainTrouble } from '../../shared/runtime/key-place.ts'
import type { Clock, Logger, SecretName, SecretStore } from '../../shared/runtime/ports.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { checkKey, keyAccount } from './key.ts'

/** Keys from the environment, each only for the origin that this start is configured for. `set` and `delete` throw `bad_request`. */
export function createEnvironmentStore(
  keys: Partial<Record<SecretName, string>>,
  origins: Partial<Record<SecretName, string>>,
): SecretStore {
  const refuse = async (): Promise<never> => {
    throw new AppError('bad_request', say('given_at_start'))
  }
  return {
    get: async (name, origin) => {
      keyAccount(name, origin)
      return origins[name] === origin ? (keys[name] ?? null) : null
    },
    set: refuse,
    delete: refuse,
    describe: async () => ({ place: 'environment', because: null }),
  }
}

interface MemoryStore extends SecretStore {
  /** Stores every key in another store too. */
  copyTo(store: SecretStore): Promise<void>
}

/** Keeps keys until the process ends and nowhere else. `because` is why there is nothing better. */
export function createMemoryStore(because: KeychainTrouble): MemoryStore {
  const keys = new Map<string, { name: SecretName; origin: string; key: string }>()
  return {
    get: async (name, origin) => keys.get(keyAccount(name, origin))?.key ?? null,
    set: async (name, origin, secret) => {
      keys.set(keyAccount(name, origin), { name, origin, key: checkKey(secret, say('key_named')) })
    },
    delete: async (name, origin) => {
      keys.delete(keyAccount(name, origin))
    },
    describe: async () => ({ place: 'memory', because }),
    copyTo: async (store) => {
      for (const { name, origin, key } of keys.values()) await store.set(name, origin, key)
    },
  }
}

/** How often a locked keychain is looked at. */
const LOOK_MS = 5000

export interface Unlocking {
  clock: Clock
  log: Logger
  /** Whether the keychain is open, without asking a person anything; where nobody can tell, it says no. */
  isUnlocked: () => Promise<boolean>
  /** From now on keys come from the keychain. */
  onUsable: () => void
  signal: AbortSignal
}

/**
 * Memory while the keychain is locked. The probe has asked a person once; from now on the keychain is only looked at. Once it is open,
 * keys given meanwhile move into it and it is used.
 */
export function createUnlockingStore(
  keychain: SecretStore,
  because: KeychainTrouble,
  { clock, log, isUnlocked, onUsable, signal }: Unlocking,
): SecretStore {
  const memory = createMemoryStore(because)
  let store: SecretStore = memory
  let stopLooking: () => void = () => undefined
  const look = async () => {
    if (!(await isUnlocked())) return lookLater()
    await memory.copyTo(keychain)
    if (signal.aborted) return
    store = keychain
    log.info('the keychain is unlocked')
    onUsable()
  }
  const lookLater = () => {
    if (signal.aborted) return
    stopLooking = clock.setTimer(LOOK_MS, () => {
      look().catch((error: unknown) => {
        log.warn('the keychain is unlocked but cannot be used', { error: String(error) })
        lookLater()
      })
    })
  }
  signal.addEventListener('abort', () => stopLooking())
  log.warn('the keychain is locked', { outcome: because })
  lookLater()
  return forwardTo(() => store)
}

export function forwardTo(
  choose: (name: SecretName, origin: string | null) => SecretStore | Promise<SecretStore>,
): SecretStore {
  return {
    get: async (name, origin) => (await choose(name, origin)).get(name, origin),
    set: async (name, origin, secret) => (await choose(name, origin)).set(name, origin, secret),
    delete: async (name, origin) => (await choose(name, origin)).delete(name, origin),
    describe: async (name, origin) => (await choose(name, origin)).describe(name, origin),
  }
}
