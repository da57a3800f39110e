import { createHash } from 'node:crypto'
import { mkdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { toDiskError } from './disk-error.ts'
import { readSmallFile } from './regular-file.ts'
import { realLinks, renameWithRetry, takeName } from './take-name.ts'
import { draftBeside, writeDraft } from './write-whole.ts'

/** Larger than any of ours. */
const MAX_BYTES = 100_000
const EXECUTABLE = 0o111

/** A file of Hangar's in a folder of other programs. Only one that is as Hangar wrote it is ever replaced or removed. */
export interface SealedFile {
  path: string
  /** With its seal. */
  bytes: Buffer
  mode: number
}

/** What is at its place: nothing, ours as it should be, ours of before, or another's. */
export type Found = 'absent' | 'current' | 'older' | 'another'

/** Rejects with the disk's error as an `AppError`, as the two below do. */
export async function lookAt({ path, bytes, mode }: SealedFile): Promise<Found> {
  try {
    const there = await readSmallFile(path, MAX_BYTES)
    if (there === null || !isSealed(there)) return 'another'
    // Copying a home may lose the mode, without which a script is not offered and an entry of Dolphin is refused.
    const lacksMode = (~(await stat(path)).mode & mode & EXECUTABLE) !== 0
    return there.equals(bytes) && !lacksMode ? 'current' : 'older'
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return 'absent'
    throw toDiskError(error, dirname(path))
  }
}

/** Resolves to what was there. A file of another at its place stays, also one that comes there meanwhile. */
export async function putSealed(file: SealedFile): Promise<Found> {
  const found = await lookAt(file)
  if (found === 'current' || found === 'another') return found
  const folder = dirname(file.path)
  const draft = draftBeside(file.path)
  const write = async (made: FileHandle) => {
    await made.writeFile(file.bytes)
    await made.chmod(file.mode)
  }
  const place = async (): Promise<Found> => {
    if (found === 'absent') return (await takeName(draft, file.path, realLinks)) === 'named' ? found : 'another'
    await renameWithRetry(draft, file.path)
    return found
  }
  try {
    await mkdir(folder, { recursive: true })
    return await writeDraft(draft, write, place)
  } catch (error) {
    throw toDiskError(error, folder)
  }
}

/** Resolves to what was there; another's stays. */
export async function takeSealed(file: SealedFile): Promise<Found> {
  const found = await lookAt(file)
  if (found === 'absent' || found === 'another') return found
  try {
    await rm(file.path, { force: true })
    return found
  } catch (error) {
    throw toDiskError(error, dirname(file.path))
  }
}

/** The end of a sealed file; `-->` ends a comment of XML. */
const SEAL = /([0-9a-f]{64})(?: -->\n|\n)?$/
const MAX_SEAL_BYTES = 70

/** Ends a file with its hash: once it does not fit, a person changed the file, and it is theirs. `after` ends the comment that it is in. */
export function seal(body: Buffer, after: '' | '\n' | ' -->\n'): Buffer {
  return Buffer.concat([body, Buffer.from(hashOf(body) + after)])
}

export function isSealed(file: Buffer): boolean {
  const found = SEAL.exec(file.subarray(-MAX_SEAL_BYTES).toString('latin1'))
  return found !== null && hashOf(file.subarray(0, file.length - found[0].length)) === found[1]
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
