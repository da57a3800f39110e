import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { FailReason } from '../../shared/sentences/reasons.ts'
import { MAX_UPLOAD_BYTES } from '../../shared/recipes/recipe.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { openRegularFile, readOpenFile } from './regular-file.ts'
import { isInside, realPathOf } from './real-path.ts'

/** Identifies a version of a file; the times and `ino` are decimal strings, since they do not fit a JSON number. */
interface FileVersion {
  sizeBytes: number
  mtimeNs: string
  ctimeNs: string
  ino: string
  dev: string
}

/**
 * The outcome of reading a file through one descriptor. `gone` and `changing` are not failures: try again later.
 * `outside`: its real path is not under the root. `notRegular`: a link, folder, pipe or device. `refused`: a regular
 * file that can never be sent as it is.
 */
type SnapshotOutcome =
  | ({ kind: 'snapshot'; bytes: Buffer; realPath: string; sha256: string; changedNs: string } & FileVersion)
  | { kind: 'gone' }
  | { kind: 'changing' }
  | { kind: 'outside' }
  | { kind: 'notRegular' }
  | ({ kind: 'refused'; reason: FailReason; detail: Sentence } & FileVersion)

/** As many bytes as a type is told by. */
const HEAD_BYTES = 64

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ESTALE'])
/** Another program has the file open, or we are out of descriptors or memory: worth another try. */
const PASSING = new Set(['EBUSY', 'ETXTBSY', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'])
const NO_VERSION: FileVersion = { sizeBytes: 0, mtimeNs: '0', ctimeNs: '', ino: '0', dev: '0' }

/**
 * The only read of a source file (docs/architecture.md, "A job's life"): opened once without following links, real path
 * checked against the real root, size capped before anything is read, hashed while read, and unchanged between start
 * and end. `maxBytes` may depend on the first 64 bytes. What is uploaded and encoded is this snapshot or derived from it.
 */
export async function takeSnapshot(
  path: string,
  rootDir: string,
  maxBytes: number | ((head: Buffer) => number) = MAX_UPLOAD_BYTES,
): Promise<SnapshotOutcome> {
  const file = await openRegularFile(path).catch((error: unknown) => outcomeOf(error, NO_VERSION))
  if (file === null) return { kind: 'notRegular' }
  if ('kind' in file) return file
  const { handle, stats: before } = file
  const version = versionOf(before)
  try {
    const realPath = await realPathOf(path)
    if (!isInside(await realpath(rootDir), realPath)) return { kind: 'outside' }
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const limit = typeof maxBytes === 'number' ? maxBytes : maxBytes(buffer.subarray(0, bytesRead))
    if (before.size > BigInt(limit))
      return { kind: 'refused', reason: 'too_large', detail: tooLarge(version.sizeBytes, limit), ...version }
    if (before.size === 0n) return { kind: 'refused', reason: 'not_an_image', detail: say('file_empty'), ...version }
    const bytes = await readOpenFile(file, limit)
    const after = await handle.stat({ bigint: true })
    if (bytes?.length !== version.sizeBytes || !isDeepStrictEqual(versionOf(after), version))
      return { kind: 'changing' }
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { kind: 'snapshot', bytes, realPath, sha256, changedNs: latestOf(after), ...version }
  } catch (error) {
    return outcomeOf(error, version)
  } finally {
    await handle.close()
  }
}

function tooLarge(sizeBytes: number, maxBytes: number): Sentence {
  if (maxBytes > MAX_UPLOAD_BYTES) return say('over_reading_limit', { bytes: sizeBytes, limit: maxBytes })
  return say('over_service_limit', { bytes: sizeBytes, limit: MAX_UPLOAD_BYTES })
}

function outcomeOf(error: unknown, version: FileVersion): SnapshotOutcome {
  const code = errorCode(error)
  if (GONE.has(code)) return { kind: 'gone' }
  if (PASSING.has(code)) return { kind: 'changing' }
  if (code === '') throw error
  const detail = code === 'EACCES' || code === 'EPERM' ? say('file_forbidden') : raw(code)
  return { kind: 'refused', reason: 'unreadable', detail, ...version }
}

function versionOf(stats: BigIntStats): FileVersion {
  const { size, mtimeNs, ctimeNs, ino, dev } = stats
  return { sizeBytes: Number(size), mtimeNs: `${mtimeNs}`, ctimeNs: `${ctimeNs}`, ino: `${ino}`, dev: `${dev}` }
}

/** `ctime` also covers renames and moves; file systems without it have one of the others. */
function latestOf({ mtimeNs, ctimeNs, birthtimeNs }: BigIntStats): string {
  return `${[mtimeNs, ctimeNs, birthtimeNs].reduce((latest, time) => (time > latest ? time : latest))}`
}
