import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { SecretName } from '../../shared/runtime/ports.ts'

/**
 * The name under which one key is kept: `image|https://host:port`, `ledger|postgres://…` (`readLedgerAddress`), or `hooks|ID`. Throws
 * `bad_request` unless `origin` is exactly the origin of an http(s) URL, so that no spelling of an address ever finds the key of another.
 */
export function keyAccount(name: SecretName, origin: string): string {
  // An id of the data folder, and no address.
  if (name === 'hooks' && /^[0-9A-Za-z]{10,40}$/.test(origin)) return `${name}|${origin}`
  const url = URL.parse(origin)
  if (name === 'ledger' && url?.protocol === 'postgres:' && url.password === '') return `${name}|${origin}`
  if (url === null || url.origin !== origin || !/^https?:$/.test(url.protocol)) {
    throw new AppError('bad_request', say('key_needs_origin'))
  }
  return `${name}|${origin}`
}
