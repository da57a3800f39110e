import type { KeychainTrouble } from '../../shared/runtime/key-place.ts'
import type { Clock, Logger, SecretStore } from '../../shared/runtime/ports.ts'
import { createMemoryStore } from './memory-store.ts'

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
 * Memory while the keychain is locked. The probe has asked a person once, and its dialog may still be open; from now on the
 * keychain is only looked at. Once it is open, by that dialog or otherwise, keys given meanwhile move into it and it is used.
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
  return {
    get: (name, origin) => store.get(name, origin),
    set: (name, origin, secret) => store.set(name, origin, secret),
    delete: (name, origin) => store.delete(name, origin),
    describe: (name, origin) => store.describe(name, origin),
  }
}
