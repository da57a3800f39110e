import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import { MAX_UPLOAD_BYTES } from '../../shared/recipes/recipe.ts'
import type { FileVersion, SourceRead } from '../core/source-read.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { openRegularFile, readOpenFile } from './regular-file.ts'
import { isInside, realPathOf } from './real-path.ts'

/** As many bytes as a type is told by. */
const HEAD_BYTES = 64

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ESTALE'])
/** Another program has the file open, or we are out of descriptors or memory: worth another try. */
const PASSING = new Set(['EBUSY', 'ETXTBSY', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'])
const NO_VERSION: FileVersion = { sizeBytes: 0, mtimeNs: '0', ctimeNs: '', ino: '0' }

/**
 * The only read of a source file: opened once without following links, inside the real root, size capped before anything is read, hashed while
 * read, and unchanged between start and end. `maxBytes` may depend on the first 64 bytes.
 */
export async function takeSnapshot(
  path: string,
  rootDir: string,
  maxBytes: number | ((head: Buffer) => number) = MAX_UPLOAD_BYTES,
): Promise<SourceRead> {
  const file = await openRegularFile(path).catch((error: unknown) => outcomeOf(error, NO_VERSION))
  if (file === null) return { kind: 'ignored' }
  if ('kind' in file) return file
  const { handle, stats: before } = file
  const version = versionOf(before)
  try {
    if (!isInside(await realpath(rootDir), await realPathOf(path))) return { kind: 'ignored' }
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
    return { kind: 'snapshot', bytes, sha256, changedNs: latestOf(after), ...version }
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

function outcomeOf(error: unknown, version: FileVersion): SourceRead {
  const code = errorCode(error)
  if (GONE.has(code)) return { kind: 'gone' }
  if (PASSING.has(code)) return { kind: 'changing' }
  if (code === '') throw error
  const detail = code === 'EACCES' || code === 'EPERM' ? say('file_forbidden') : raw(code)
  return { kind: 'refused', reason: 'unreadable', detail, ...version }
}

function versionOf(stats: BigIntStats): FileVersion {
  const { size, mtimeNs, ctimeNs, ino } = stats
  return { sizeBytes: Number(size), mtimeNs: `${mtimeNs}`, ctimeNs: `${ctimeNs}`, ino: `${ino}` }
}

/** `ctime` also covers renames and moves; file systems without it have one of the others. */
function latestOf({ mtimeNs, ctimeNs, birthtimeNs }: BigIntStats): string {
  return `${[mtimeNs, ctimeNs, birthtimeNs].reduce((latest, time) => (time > latest ? time : latest))}`
}
