import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { SecretName } from '../../shared/runtime/ports.ts'

/**
 * The name under which one key is kept: `image|https://host:port`, or `ledger|postgres://…` (`readLedgerAddress`). Throws
 * `bad_request` unless `origin` is exactly the origin of an http(s) URL, so that no spelling of an address ever finds the key of another.
 */
export function keyAccount(name: SecretName, origin: string): string {
  const url = URL.parse(origin)
  if (name === 'ledger' && url?.protocol === 'postgres:' && url.password === '') return `${name}|${origin}`
  if (url === null || url.origin !== origin || !/^https?:$/.test(url.protocol)) {
    throw new AppError('bad_request', say('key_needs_origin'))
  }
  return `${name}|${origin}`
}
