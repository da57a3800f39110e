import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One entry of a tree as it was at one moment. `sha256` is of a regular file's bytes, else null, also for one without an end. */
export interface EntryRecord {
  kind: 'file' | 'folder' | 'other'
  sha256: string | null
  sizeBytes: number
  /** Permission bits. */
  mode: number
  uid: number
  mtimeNs: bigint
  ino: bigint
}

const MAX_BYTES = 2n ** 30n

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Null for one that is not there, or is gone while it is read: others may be at work in the tree. */
export function recordEntry(path: string): EntryRecord | null {
  try {
    return readEntry(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function readEntry(path: string): EntryRecord | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined) return null
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other'
  return {
    kind,
    sha256: kind === 'file' && stats.size <= MAX_BYTES ? sha256Of(readFileSync(path)) : null,
    sizeBytes: Number(stats.size),
    mode: Number(stats.mode & 0o7777n),
    uid: Number(stats.uid),
    mtimeNs: stats.mtimeNs,
    ino: stats.ino,
  }
}

/** Everything below `dir` (not itself) by path; trees in `leftOut` are not entered. Links are not followed. */
export function recordTree(dir: string, leftOut: readonly string[] = []): Map<string, EntryRecord> {
  const found = new Map<string, EntryRecord>()
  const visit = (folder: string) => {
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      if (leftOut.includes(path)) continue
      const entry = path.length < 4000 ? recordEntry(path) : null
      if (entry === null) continue
      found.set(path, entry)
      if (entry.kind === 'folder') visit(path)
    }
  }
  visit(dir)
  return found
}

/** None for a folder that lies deeper than a path can say. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return []
    throw error
  }
}
