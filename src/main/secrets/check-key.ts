import { AppError } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'

const LONGEST_KEY = 4096

/**
 * A key as it may be stored and sent in a header: printable ASCII without spaces, 1 to 4096 characters. White space
 * around it (a pasted line end) is taken off. `what` names it in the error, which never repeats the key itself.
 * Throws `bad_request`.
 */
export function checkKey(text: string, what: Sentence): string {
  const key = text.trim()
  if (key.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(key))
    throw new AppError('bad_request', say('key_malformed', { what }))
  return key
}
