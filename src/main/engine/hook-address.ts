import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { isLoopbackHost } from '../services/base-url.ts'

/** An address that a hook may post to, as URLs spell it: https, or http of this computer. Throws `bad_request`. */
export function hookAddress(text: string): string {
  const url = URL.parse(text.trim())
  if (url === null || url.hostname === '' || !/^https?:$/.test(url.protocol))
    throw new AppError('bad_request', say('hook_no_address'))
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw new AppError('bad_request', say('hook_address_unencrypted'))
  if (url.username !== '' || url.password !== '') throw new AppError('bad_request', say('hook_address_password'))
  return url.href
}
