import type { KeychainTrouble } from '../../shared/key-place.ts'
import { settings } from '../../shared/text/en/settings.ts'

/** Why keys are not kept in a keychain here and what to do about it, worded to follow a colon. */
export function keychainTrouble(because: KeychainTrouble | null): string {
  return settings.keychainTrouble[because ?? 'no_service']
}
