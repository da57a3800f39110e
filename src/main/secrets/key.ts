import { createHmac } from 'node:crypto'
import type { SecretName } from '../../shared/runtime/ports.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'

const MAX_KEY_CHARS = 4096

/**
 * A key that may be sent in a header: printable ASCII without spaces; white space around it is removed. `what` names it in the error,
 * which never repeats it. Throws `bad_request`.
 */
export function checkKey(text: string, what: Sentence): string {
  const key = text.trim()
  if (key.length > MAX_KEY_CHARS || !/^[\x21-\x7e]+$/.test(key))
    throw new AppError('bad_request', say('key_malformed', { what }))
  return key
}

/**
 * The name under which a key is kept: `image|https://host:port`, or `ledger|postgres://…` (`readLedgerAddress`). Throws `bad_request`
 * unless `origin` is exactly the origin of a URL: no spelling of an address finds the key of another.
 */
export function keyAccount(name: SecretName, origin: string): string {
  const url = URL.parse(origin)
  const isLedger = name === 'ledger' && url?.protocol === 'postgres:' && url.password === ''
  if (!isLedger && (url?.origin !== origin || !/^https?:$/.test(url.protocol)))
    throw new AppError('bad_request', say('key_needs_origin'))
  return `${name}|${origin}`
}

/** Tells the keys of one data folder apart, which has its own salt; 32 bits match too many keys to reveal one. */
export function keyFingerprint(salt: string, key: string): string {
  return createHmac('sha256', salt).update(key, 'utf8').digest('hex').slice(0, 8)
}
