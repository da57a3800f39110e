import { createHmac } from 'node:crypto'

/**
 * Eight hex characters by which a key is recognised again, so that a changed key is noticed. The salt is random and
 * belongs to one data folder, so the same key looks different elsewhere; and 32 bits fit so many keys (one in four
 * billion) that nobody can tell from them which one it was. It proves nothing and opens nothing.
 */
export function keyFingerprint(salt: string, key: string): string {
  return createHmac('sha256', salt).update(key, 'utf8').digest('hex').slice(0, 8)
}
