import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { isPlainName } from '../files/held-folder.ts'
import { MAX_RECORD_BYTES, ORIGINALS_FOLDER } from '../files/kept-originals.ts'
import { readSmallFile } from '../files/open-regular-file.ts'

const Named = z.object({ name: z.string().min(1) })

/**
 * The files to restore for a path: itself, or, for a folder, every file below it whose original is kept, each with the folder
 * that must contain it. Only the names of the records are read here; restoring validates them.
 */
export async function findOriginals(path: string): Promise<{ path: string; rootDir: string }[]> {
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory() !== true) return [{ path, rootDir: dirname(path) }]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const found = new Set<string>()
  for (const entry of entries) {
    const folder = entry.parentPath
    if (!entry.isFile() || basename(folder) !== ORIGINALS_FOLDER || !entry.name.endsWith('.json')) continue
    const name = await nameIn(join(folder, entry.name))
    if (name !== null && isPlainName(name)) found.add(join(folder, '..', name))
  }
  return [...found].sort().map((original) => ({ path: original, rootDir: path }))
}

async function nameIn(recordPath: string): Promise<string | null> {
  try {
    const bytes = await readSmallFile(recordPath, MAX_RECORD_BYTES)
    return bytes === null ? null : Named.parse(JSON.parse(bytes.toString('utf8'))).name
  } catch {
    return null
  }
}
