import { createHmac } from 'node:crypto'

/**
 * Eight hex characters that identify a key, so that a changed key is noticed. The salt is random and belongs to one data
 * folder, so the same key has another fingerprint elsewhere; and 32 bits match too many keys (one in four billion) to
 * reveal which one it was. A fingerprint proves nothing and opens nothing.
 */
export function keyFingerprint(salt: string, key: string): string {
  return createHmac('sha256', salt).update(key, 'utf8').digest('hex').slice(0, 8)
}
