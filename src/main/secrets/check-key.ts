import { AppError } from '../../shared/errors.ts'

const LONGEST_KEY = 4096

/**
 * A key as it may be stored and sent in a header: printable ASCII without spaces, 1 to 4096 characters. White space
 * around it (a pasted line end) is taken off. `what` names it in the error, which never repeats the key itself.
 * Throws `bad_request`.
 */
export function checkKey(text: string, what: string): string {
  const key = text.trim()
  if (key === '') throw new AppError('bad_request', `${what} is empty. Give the key itself, on one line.`)
  if (key.length > LONGEST_KEY) {
    throw new AppError('bad_request', `${what} is longer than ${LONGEST_KEY} characters: this is not a key.`)
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new AppError(
      'bad_request',
      `${what} contains a space, a line end or a character that is not plain ASCII. Give the key alone, as the service shows it.`,
    )
  }
  return key
}
