import type { KeychainTrouble } from '../../shared/runtime/key-place.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { SecretName, SecretStore } from '../../shared/runtime/ports.ts'
import { checkKey } from './check-key.ts'
import { keyAccount } from './key-account.ts'

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
