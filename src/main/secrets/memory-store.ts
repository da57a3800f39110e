import type { KeychainTrouble } from '../../shared/runtime/key-place.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { SecretStore } from '../../shared/runtime/ports.ts'
import { checkKey } from './check-key.ts'
import { keyAccount } from './key-account.ts'

/** Keeps keys until the process ends and nowhere else. `because` is why there is nothing better. */
export function createMemoryStore(because: KeychainTrouble): SecretStore {
  const keys = new Map<string, string>()
  return {
    get: async (name, origin) => keys.get(keyAccount(name, origin)) ?? null,
    set: async (name, origin, secret) => {
      keys.set(keyAccount(name, origin), checkKey(secret, say('key_named')))
    },
    delete: async (name, origin) => {
      keys.delete(keyAccount(name, origin))
    },
    describe: async () => ({ place: 'memory', because }),
  }
}
