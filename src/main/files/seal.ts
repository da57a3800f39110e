import { createHash } from 'node:crypto'

/** The end of a sealed file; `-->` ends a comment of XML. */
const SEAL = /([0-9a-f]{64})(?: -->\n|\n)?$/
const LONGEST = 70

/**
 * Puts the hash of a file at its end. While it fits, the file is as Hangar wrote it, in whichever version; once it does not, a
 * person changed it, and it is theirs. `after` ends the comment that the body began.
 */
export function seal(body: Buffer, after: '' | '\n' | ' -->\n'): Buffer {
  return Buffer.concat([body, Buffer.from(hashOf(body) + after)])
}

export function isSealed(file: Buffer): boolean {
  const found = SEAL.exec(file.subarray(-LONGEST).toString('latin1'))
  return found !== null && hashOf(file.subarray(0, file.length - found[0].length)) === found[1]
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
