import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'

/** Both ways of the image service document, Authentication; the charger document only has the first. */
type KeyHeader = 'bearer' | 'x-api-key'

/** Supplies the key; called for every request, so that a changed key takes effect at once. */
export type KeySource = () => string | null | Promise<string | null>

/** Throws `key_missing` when there is none, or one that cannot be sent in a header. */
export async function requireKey(source: KeySource): Promise<string> {
  const key = await source()
  if (key === null || key === '') throw new AppError('key_missing', say('key_not_set'))
  if (!/^[\x21-\x7e]+$/.test(key)) throw new AppError('key_missing', say('stored_key_malformed'))
  return key
}

export function authorization(key: string, header: KeyHeader): Record<string, string> {
  return header === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }
}
