import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { ORIGINALS_FOLDER } from '../files/kept-originals.ts'

const Named = z.object({ name: z.string().min(1) })

/**
 * The files that a path stands for when originals are to be restored: itself, or, for a folder, every file below it of
 * which an original is kept. Records are read for their names only; whether they are sound is decided when restoring.
 */
export async function findOriginals(path: string): Promise<string[]> {
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory() !== true) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const found = new Set<string>()
  for (const entry of entries) {
    const folder = entry.parentPath
    if (!entry.isFile() || basename(folder) !== ORIGINALS_FOLDER || !entry.name.endsWith('.json')) continue
    const name = await nameIn(join(folder, entry.name))
    // A name that is more than a name would lead elsewhere.
    if (name !== null && name === basename(name) && name !== '..') found.add(join(folder, '..', name))
  }
  return [...found].sort()
}

async function nameIn(recordPath: string): Promise<string | null> {
  try {
    return Named.parse(JSON.parse(await readFile(recordPath, 'utf8'))).name
  } catch {
    return null
  }
}
