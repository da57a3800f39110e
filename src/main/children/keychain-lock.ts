import process from 'node:process'
import { busFlag } from './session-bus.ts'

/**
 * Whether the keychain that keys go into is open, as the Secret Service of a Linux desktop says: asking that shows nobody a
 * dialog. Elsewhere it cannot be asked, and counts as locked.
 */
export async function isKeychainUnlocked(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const isLocked = await busFlag({
    name: 'org.freedesktop.secrets',
    path: '/org/freedesktop/secrets/aliases/default',
    interface: 'org.freedesktop.Secret.Collection',
    property: 'Locked',
  })
  return isLocked === false
}
