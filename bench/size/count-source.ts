import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface FolderSize {
  folder: string
  files: number
  lines: number
  medianLines: number
}

/** Catalogues of earlier versions were code, one folder for each language. */
const isSource = (name: string) => /\.(ts|tsx|css)$/.test(name) && !/^shared\/text\/.*\//.test(name)

/** The folder that a file counts for; loose are those next to the rooms of `main`, `renderer` and `shared`. */
function folderOf(path: string): string {
  const [top, second, ...rest] = path.split('/')
  if (top === 'practice' || top === 'preload') return top
  if (rest.length === 0) return `${top} (loose)`
  return top === 'renderer' && second !== 'places' ? 'renderer (other)' : `${top}/${second}`
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function sizeOf(folder: string, lines: readonly number[]): FolderSize {
  return { folder, files: lines.length, lines: lines.reduce((sum, more) => sum + more, 0), medianLines: median(lines) }
}

/** Code and styles below `src` of a checkout, without catalogues; the last row is all of them. */
export function countSource(checkout: string): FolderSize[] {
  const byFolder = new Map<string, number[]>()
  const src = join(checkout, 'src')
  for (const name of readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(isSource)) {
    const lines = readFileSync(join(src, name), 'utf8').split('\n').length - 1
    const folder = folderOf(name)
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), lines])
  }
  const folders = [...byFolder].toSorted(([one], [other]) => one.localeCompare(other))
  return [...folders.map(([folder, lines]) => sizeOf(folder, lines)), sizeOf('all', [...byFolder.values()].flat())]
}

/** Bytes of what is installed of `out`: without maps. Null where nothing is built. */
export function outBytes(checkout: string): number | null {
  const out = join(checkout, 'out')
  if (!existsSync(out)) return null
  return readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('.map'))
    .map((name) => statSync(join(out, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)
}
