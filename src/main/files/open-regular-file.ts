import { closeSync, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { openWithoutFollowing, READ_WITHOUT_FOLLOWING } from './hash-file.ts'
import { isReallyInside } from './real-path.ts'

interface OpenFile {
  handle: FileHandle
  stats: BigIntStats
}

/** Error codes of opening a link, folder, socket or device. */
const NOT_REGULAR = new Set(['ELOOP', 'EMLINK', 'EISDIR', 'ENXIO', 'ENODEV', 'EOPNOTSUPP'])

/**
 * Opens a file that others may have planted or swapped, for reading; the caller closes it. Follows no links, never
 * blocks, and checks the same file that is then read. Null for a link, folder, pipe or device. Rejects with the
 * system's error otherwise, including for a missing file.
 */
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

/** `openRegularFile` for a file whose real path must be inside `rootDir`. Null for anything that must not be served, including a missing file. */
export async function openFileInside(path: string, rootDir: string): Promise<OpenFile | null> {
  if (!(await isReallyInside(rootDir, path))) return null
  return openRegularFile(path).catch(() => null)
}

/** The whole of a small file, opened as `openRegularFile` does; null also for one of more than `maxBytes`. */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer | null> {
  const file = await openRegularFile(path)
  if (file === null) return null
  try {
    return await readOpenFile(file, maxBytes)
  } finally {
    await file.handle.close()
  }
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

/** The synchronous `readSmallFile`; `bytes` is null for a file that is too large. */
export function readSmallFileNow(path: string, maxBytes: number): { bytes: Buffer | null; stats: BigIntStats } | null {
  let fd: number
  try {
    fd = openSync(path, READ_WITHOUT_FOLLOWING)
  } catch (error) {
    if (NOT_REGULAR.has(errorCode(error))) return null
    throw error
  }
  try {
    const stats = fstatSync(fd, { bigint: true })
    if (!stats.isFile()) return null
    if (stats.size > BigInt(maxBytes)) return { bytes: null, stats }
    const bytes = Buffer.alloc(Number(stats.size))
    let used = 0
    for (let read = -1; read !== 0 && used < bytes.length; used += read)
      read = readSync(fd, bytes, used, bytes.length - used, used)
    return { bytes: bytes.subarray(0, used), stats }
  } finally {
    closeSync(fd)
  }
}
