import type { KeychainTrouble } from '../../shared/key-place.ts'
import { settings } from '../../shared/text/en/settings.ts'

/** Why no keychain keeps keys here, to stand after a colon, with what to do about it. */
export function keychainTrouble(because: KeychainTrouble | null): string {
  return settings.keychainTrouble[because ?? 'no_service']
}
