import type { FileHandle } from 'node:fs/promises'
import { openWithoutFollowing } from './hash-file.ts'

/** A file to be read to its end by whoever closes the handle. Null for what is gone, a link, or no regular file. */
export async function openRegularFile(path: string): Promise<{ handle: FileHandle; sizeBytes: number } | null> {
  const handle = await openWithoutFollowing(path).catch(() => null)
  if (handle === null) return null
  const stats = await handle.stat()
  if (stats.isFile()) return { handle, sizeBytes: stats.size }
  await handle.close()
  return null
}
