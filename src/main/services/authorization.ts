import { AppError } from '../../shared/errors.ts'

/** Both ways of the image service document, Authentication; the charger document knows the first only. */
export type KeyHeader = 'bearer' | 'x-api-key'

/** Where a key comes from: asked for at every call, so that a changed key counts at once. */
export type KeySource = () => string | null | Promise<string | null>

/** Throws `AppError` `key_missing` when there is none, or one that no header can carry. Nothing has left then. */
export async function requireKey(source: KeySource): Promise<string> {
  const key = await source()
  if (key === null || key === '')
    throw new AppError('key_missing', 'No key is set for this service: set one in the settings.')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new AppError('key_missing', 'The stored key has blanks or characters that no key has: set it again.')
  return key
}

export function authorization(key: string, header: KeyHeader): Record<string, string> {
  return header === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }
}
