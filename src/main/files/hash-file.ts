import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { constants, open } from 'node:fs/promises'

const CHUNK_BYTES = 1 << 20
/** A file that grows meanwhile is not read byte by byte. */
const MIN_CHUNK_BYTES = 1 << 12
/** Larger than any picture read or result written. A planted endless file must not block a thread for ever. */
const MAX_HASHED_BYTES = 256 * 1_048_576

/**
 * SHA-256 of an open file from its start, in hex; null if it is larger than anything Hangar reads or writes. Reads in
 * chunks, so memory use does not grow with the file.
 */
export async function hashHandle(handle: FileHandle): Promise<string | null> {
  const { size } = await handle.stat()
  if (size > MAX_HASHED_BYTES) return null
  const hash = createHash('sha256')
  // Most hashed files are small, such as sidecars, and a chunk for each would keep the garbage collector busy.
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, size + 1)))
  for (let position = 0; position <= MAX_HASHED_BYTES;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
  return null
}

/**
 * SHA-256 (hex) and size in bytes of a regular file, or null when there is none: missing, a link, a device, a folder,
 * larger than any file of Hangar's, or not readable by us. Follows no links and never blocks.
 */
export async function measureFile(path: string): Promise<{ sha256: string; sizeBytes: number } | null> {
  let handle: FileHandle
  try {
    handle = await openWithoutFollowing(path)
  } catch {
    return null
  }
  try {
    const stats = await handle.stat()
    const sha256 = stats.isFile() ? await hashHandle(handle) : null
    return sha256 === null ? null : { sha256, sizeBytes: stats.size }
  } catch {
    return null
  } finally {
    await handle.close()
  }
}

/** The hash alone; null as for `measureFile`. */
export async function hashFile(path: string): Promise<string | null> {
  return (await measureFile(path))?.sha256 ?? null
}

export const READ_WITHOUT_FOLLOWING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Opens for reading; fails with `ELOOP` if the last component is a symbolic link, and does not block on a pipe. */
export function openWithoutFollowing(path: string): Promise<FileHandle> {
  return open(path, READ_WITHOUT_FOLLOWING)
}
