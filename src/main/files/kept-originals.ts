import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { lstat, open, readFile, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/errors.ts'
import { cutToBytes } from '../core/naming.ts'
import { errorCode, syncFolder } from './disk-error.ts'
import { hashFile } from './hash-file.ts'
import { ensureFolderInside } from './real-path.ts'
import { linksAreMissing, takeName } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

/** Where replaced originals are kept, in the folder they are from. */
export const ORIGINALS_FOLDER = '.hangar-originals'

const MAX_NAME_BYTES = 200
const MAX_RECORD_BYTES = 1_000_000

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Record = z.object({
  hangarOriginal: z.literal(1),
  name: z.string().min(1).max(1000),
  sha256,
  /** What Hangar put in its place, oldest first. */
  replacedBy: z.array(sha256),
  /** Counts up in a folder: the highest is the newest. */
  order: z.number().int().nonnegative(),
})

/** A kept original: the file, the record beside it (`<file>.json`), and what the record says. */
export interface KeptOriginal {
  filePath: string
  recordPath: string
  record: z.infer<typeof Record>
}

/** All originals kept from `path`, newest first. What does not parse, or has no file, is left alone and out. */
export async function keptOriginalsOf(path: string): Promise<KeptOriginal[]> {
  const all = await readFolder(join(dirname(path), ORIGINALS_FOLDER))
  return all.filter(({ record }) => record.name === basename(path)).sort((a, b) => b.record.order - a.record.order)
}

async function readFolder(dir: string): Promise<KeptOriginal[]> {
  const kept: KeptOriginal[] = []
  for (const name of await namesIn(dir)) {
    if (!name.endsWith('.json')) continue
    const recordPath = join(dir, name)
    const filePath = recordPath.slice(0, -'.json'.length)
    const record = await readRecord(recordPath)
    const file = await lstat(filePath).catch(() => null)
    if (record !== null && file?.isFile() === true) kept.push({ filePath, recordPath, record })
  }
  return kept
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

async function readRecord(path: string): Promise<z.infer<typeof Record> | null> {
  const stats = await lstat(path).catch(() => null)
  if (stats?.isFile() !== true || stats.size > MAX_RECORD_BYTES) return null
  try {
    return Record.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

/**
 * Keeps the file that `handle` has open, once: a kept file is never written again. What Hangar itself put there is not
 * kept anew; the record of what it replaced goes on. Null when the path has another file meanwhile.
 */
export async function keepOriginal(wanted: {
  path: string
  rootDir: string
  handle: FileHandle
  stats: BigIntStats
  sha256: string
  links: LinkPort
}): Promise<KeptOriginal | null> {
  const { path, rootDir, stats, sha256 } = wanted
  const dir = join(dirname(path), ORIGINALS_FOLDER)
  await ensureFolderInside(rootDir, dir)
  const all = await readFolder(dir)
  const sameName = all.filter(({ record }) => record.name === basename(path))
  const known = sameName.find(({ record }) => record.sha256 === sha256 || record.replacedBy.includes(sha256))
  if (known !== undefined) return known
  const order = Math.max(0, ...all.map(({ record }) => record.order)) + 1
  const filePath = await keepFile(dir, wanted)
  if (filePath === null) return null
  // A file put there since it was opened would have been linked instead.
  const linked = await lstat(filePath, { bigint: true })
  if (linked.ino !== stats.ino && (await hashFile(filePath)) !== sha256) return null
  await syncFolder(dir)
  await syncFolder(dirname(path))
  const record = { hangarOriginal: 1 as const, name: basename(path), sha256, replacedBy: [], order }
  return { filePath, recordPath: `${filePath}.json`, record }
}

/** A second link to the same file; on a system without links a copy with the same times (to the microsecond). Never over an existing file. */
async function keepFile(
  dir: string,
  wanted: { path: string; handle: FileHandle; stats: BigIntStats; sha256: string; links: LinkPort },
): Promise<string | null> {
  const { path, sha256, links } = wanted
  for (let n = 1; n <= 99; n++) {
    const again = n === 1 ? '' : `${n}-`
    const filePath = join(dir, `${sha256.slice(0, 16)}-${again}${cutToBytes(basename(path), MAX_NAME_BYTES)}`)
    try {
      await links.link(path, filePath)
      return filePath
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      if (errorCode(error) === 'EEXIST') {
        if ((await hashFile(filePath)) === sha256) return filePath
        continue
      }
      if (!linksAreMissing(error)) throw error
      if (await copyFile(filePath, wanted)) return filePath
    }
  }
  throw new AppError('name_taken', `No name is free for a copy of ${basename(path)} in ${dir}.`)
}

/** False when the name is taken by something else. */
async function copyFile(
  filePath: string,
  { handle, stats, sha256, links }: { handle: FileHandle; stats: BigIntStats; sha256: string; links: LinkPort },
): Promise<boolean> {
  if ((await hashFile(filePath)) === sha256) return true
  const draft = `${filePath}.draft`
  const copy = await createDraft(draft, Number(stats.mode & 0o777n))
  try {
    const chunk = Buffer.allocUnsafe(1 << 20)
    for (let at = 0; ;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
      if (bytesRead === 0) break
      await copy.writeFile(chunk.subarray(0, bytesRead))
      at += bytesRead
    }
    await copy.utimes(Number(stats.atimeNs) / 1e9, Number(stats.mtimeNs) / 1e9)
    await copy.sync()
  } catch (error) {
    await unlink(draft)
    throw error
  } finally {
    await copy.close()
  }
  if ((await hashFile(draft)) !== sha256) {
    await unlink(draft)
    throw new AppError('internal', `The copy of ${basename(filePath)} is not like the original; nothing was replaced.`)
  }
  if ((await takeName(draft, filePath, links)) === 'named') return true
  await unlink(draft)
  return false
}

/** Writes the record down, with what takes the original's place, before that happens; null when that is not Hangar's. */
export async function recordReplacement(kept: KeptOriginal, replacedBy: string | null): Promise<void> {
  const { record, recordPath } = kept
  const isNew = replacedBy !== null && !record.replacedBy.includes(replacedBy)
  const list = isNew ? [...record.replacedBy, replacedBy] : record.replacedBy
  const draft = `${recordPath}.draft`
  const handle = await createDraft(draft, 0o666)
  try {
    await handle.writeFile(`${JSON.stringify({ ...record, replacedBy: list }, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, recordPath)
  await syncFolder(dirname(recordPath))
}

/** A draft that is there already is from a crash; it may be anything, so it is not opened. */
async function createDraft(path: string, mode: number): Promise<FileHandle> {
  await unlink(path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  return open(path, 'wx', mode)
}
