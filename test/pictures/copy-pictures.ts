import { copyFile, mkdir, readdir, stat, utimes } from 'node:fs/promises'
import { dirname, extname, join, relative, sep } from 'node:path'
import { hashOf, type Copied } from './judge-picture.ts'

export interface CopiedFolder {
  pictures: Copied[]
  /** Files that were left out, by ending. */
  leftOut: Map<string, number>
}

/** The endings that Hangar looks at. */
const PICTURE = /^\.(?:jpe?g|jpe|jfif|png|gif|webp)$/i

function endingOf(isFile: boolean, path: string): string {
  if (!isFile) return 'no regular file'
  if (path.split(sep).some((name) => name.startsWith('.'))) return 'hidden'
  return extname(path).toLowerCase() || 'no ending'
}

/** Copies the pictures below a folder with their times; of more than `limit`, as many, spread evenly. */
export async function copyPictures(from: string, to: string, limit: number): Promise<CopiedFolder> {
  const leftOut = new Map<string, number>()
  const found: string[] = []
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    const ending = endingOf(entry.isFile(), relative(from, path))
    if (PICTURE.test(ending)) found.push(path)
    else leftOut.set(ending, (leftOut.get(ending) ?? 0) + 1)
  }
  found.sort()
  const chosen = found.filter(
    (_, index) => Math.floor((index * limit) / found.length) !== Math.floor(((index - 1) * limit) / found.length),
  )
  const taken = found.length <= limit ? found : chosen
  if (taken.length < found.length) leftOut.set('beyond the limit', found.length - taken.length)
  const pictures: Copied[] = []
  for (const path of taken) {
    const target = join(to, relative(from, path))
    await mkdir(dirname(target), { recursive: true })
    await copyFile(path, target)
    const { atime, mtime } = await stat(path)
    await utimes(target, atime, mtime)
    const { mtimeNs } = await stat(target, { bigint: true })
    pictures.push({ source: path, path: target, sha256: await hashOf(target), mtimeNs })
  }
  return { pictures, leftOut }
}
