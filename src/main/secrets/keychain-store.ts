import type keytar from 'keytar'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Clock, SecretStore } from '../../shared/runtime/ports.ts'
import { checkKey, keyAccount } from './key.ts'

/** The service under which the system's keychain lists Hangar's keys. */
export const KEYCHAIN_SERVICE = 'Hangar'

/** A person may have to answer a prompt of the keychain. */
const ANSWER_TIMEOUT_MS = 20_000

export type Keychain = Pick<typeof keytar, 'getPassword' | 'setPassword' | 'deletePassword'>

/** Loaded when first needed: without the system's libsecret the import itself fails. */
export async function loadKeychain(): Promise<Keychain> {
  const loaded = await import('keytar')
  return loaded.default
}

/**
 * Keys in the system's keychain, one per service and origin. To be used after a probe: a hanging call is given up after 20 s, but keeps
 * its thread. Throws `secret_store_unavailable` when the keychain does not answer or refuses.
 */
export function createKeychainStore(clock: Clock, load: () => Promise<Keychain> = loadKeychain): SecretStore {
  const ask = async <Answer>(question: (keychain: Keychain) => Promise<Answer>): Promise<Answer> => {
    try {
      return await within(clock, ANSWER_TIMEOUT_MS, load().then(question))
    } catch (error) {
      throw new AppError('secret_store_unavailable', say('keychain_failed'), { cause: error })
    }
  }
  return {
    get: async (name, origin) => {
      const account = keyAccount(name, origin)
      return ask((keychain) => keychain.getPassword(KEYCHAIN_SERVICE, account))
    },
    set: async (name, origin, secret) => {
      const account = keyAccount(name, origin)
      const key = checkKey(secret, say('key_named'))
      await ask((keychain) => keychain.setPassword(KEYCHAIN_SERVICE, account, key))
    },
    delete: async (name, origin) => {
      const account = keyAccount(name, origin)
      await ask((keychain) => keychain.deletePassword(KEYCHAIN_SERVICE, account))
    },
    describe: async () => ({ place: 'keychain', because: null }),
  }
}

function within<Answer>(clock: Clock, timeoutMs: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(timeoutMs, () => reject(new Error(`no answer within ${timeoutMs} ms`)))
    answer.then(resolve, reject).finally(cancel)
  })
}
