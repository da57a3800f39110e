import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { constants, open, type FileHandle } from 'node:fs/promises'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { isReallyInside } from './real-path.ts'

interface OpenFile {
  handle: FileHandle
  stats: BigIntStats
}

const READ_WITHOUT_FOLLOWING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Opens for reading; fails with `ELOOP` if the last component is a symbolic link, and does not block on a pipe. */
export function openWithoutFollowing(path: string): Promise<FileHandle> {
  return open(path, READ_WITHOUT_FOLLOWING)
}

/** Runs `work` on an open file, and always closes it. */
export async function whileOpen<Made>(file: FileHandle, work: (file: FileHandle) => Promise<Made>): Promise<Made> {
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

/** Error codes of opening a link, folder, socket or device. */
const NOT_REGULAR = new Set(['ELOOP', 'EMLINK', 'EISDIR', 'ENXIO', 'ENODEV', 'EOPNOTSUPP'])

/** Opens a file that others may have planted: no links, no blocking. The caller closes it. Null for what is no file; rejects if missing. */
export async function openRegularFile(path: string): Promise<OpenFile | null> {
  let handle: FileHandle | null = null
  try {
    handle = await openWithoutFollowing(path)
    const stats = await handle.stat({ bigint: true })
    if (stats.isFile()) return { handle, stats }
    await handle.close()
    return null
  } catch (error) {
    await handle?.close()
    if (NOT_REGULAR.has(errorCode(error))) return null
    throw error
  }
}

/** `openRegularFile` for a file whose real path must be inside `rootDir`. Null for what must not be served, and for a missing file. */
export async function openFileInside(path: string, rootDir: string): Promise<OpenFile | null> {
  if (!(await isReallyInside(rootDir, path))) return null
  return openRegularFile(path).catch(() => null)
}

/** The whole of a small file, opened as `openRegularFile` does; null also for one of more than `maxBytes`. */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer | null> {
  const file = await openRegularFile(path)
  return file && whileOpen(file.handle, () => readOpenFile(file, maxBytes))
}

/** Null if larger than `maxBytes`. Leaves out bytes appended since it was opened. */
export async function readOpenFile({ handle, stats }: OpenFile, maxBytes: number): Promise<Buffer | null> {
  if (stats.size > BigInt(maxBytes)) return null
  const bytes = Buffer.alloc(Number(stats.size))
  let used = 0
  while (used < bytes.length) {
    const { bytesRead } = await handle.read(bytes, used, bytes.length - used, used)
    if (bytesRead === 0) break
    used += bytesRead
  }
  return bytes.subarray(0, used)
}

const CHUNK_BYTES = 1 << 20
/** Larger than any picture read or result written. A planted endless file must not block a thread for ever. */
const MAX_HASHED_BYTES = 256 * 1_048_576

/** SHA-256 of an open file from its start, in hex; null if it is larger than anything Hangar reads or writes. Reads in chunks. */
export async function hashHandle(handle: FileHandle): Promise<string | null> {
  const { size } = await handle.stat()
  if (size > MAX_HASHED_BYTES) return null
  const hash = createHash('sha256')
  // Most hashed files are small, such as sidecars, and a large chunk for each would keep the garbage collector busy.
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size + 4096))
  for (let position = 0; position <= MAX_HASHED_BYTES;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
  return null
}

/** Null when there is no regular file that we may read and that is as small as Hangar's. Follows no links and never blocks. */
export async function measureFile(path: string): Promise<{ sha256: string; sizeBytes: number } | null> {
  const file = await openRegularFile(path).catch(() => null)
  if (file === null) return null
  const sha256 = await whileOpen(file.handle, hashHandle).catch(() => null)
  return sha256 === null ? null : { sha256, sizeBytes: Number(file.stats.size) }
}

/** The hash alone; null as for `measureFile`. */
export async function hashFile(path: string): Promise<string | null> {
  return (await measureFile(path))?.sha256 ?? null
}
