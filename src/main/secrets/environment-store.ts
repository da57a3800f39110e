import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { SecretName, SecretStore } from '../../shared/runtime/ports.ts'
import { keyAccount } from './key-account.ts'

/**
 * Keys that this start was given in its environment. Each serves only the origin that the same start is configured
 * for; any other origin has none here. `set` and `delete` throw `bad_request`: the environment is not Hangar's to change.
 */
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
