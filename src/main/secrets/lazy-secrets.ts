import type { SecretName, SecretStore } from '../../shared/runtime/ports.ts'

/**
 * A store that tries the keychain only when it is needed: a start whose keys all come from the environment neither
 * waits for a probe nor makes a keychain ask its owner anything. `seen` gets each key that comes out, for the
 * log's redactor.
 */
export function lazySecrets(
  environment: SecretStore,
  openRest: () => Promise<SecretStore>,
  seen: (secret: string) => void,
): SecretStore {
  let opening: Promise<SecretStore> | null = null
  const rest = (): Promise<SecretStore> => (opening ??= openRest())
  return {
    get: async (name: SecretName, origin: string) => {
      const key = (await environment.get(name, origin)) ?? (await (await rest()).get(name, origin))
      if (key !== null) seen(key)
      return key
    },
    set: async (name, origin, secret) => {
      seen(secret)
      await (await rest()).set(name, origin, secret)
    },
    delete: async (name, origin) => (await rest()).delete(name, origin),
    describe: async (name, origin) =>
      origin !== null && (await environment.get(name, origin)) !== null
        ? environment.describe(name, origin)
        : (await rest()).describe(name, origin),
  }
}
