/** Errors without a name in Node, by their numbers on Linux, and on macOS and BSD: a full quota, and a file of a network that is gone. */
const UNNAMED: Readonly<Record<number, string>> = {
  [-122]: 'EDQUOT',
  [-69]: 'EDQUOT',
  [-116]: 'ESTALE',
  [-70]: 'ESTALE',
}

/** What Node calls them: the first by promises, the other by functions that do not return one. */
const IS_UNNAMED = /^(Unknown system error|UNKNOWN$)/

/** The code of an error of the system (`ENOSPC`), or an empty string. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return ''
  const number = IS_UNNAMED.test(error.code) && 'errno' in error ? Number(error.errno) : 0
  return UNNAMED[number] ?? error.code
}
