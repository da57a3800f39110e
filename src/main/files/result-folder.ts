import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { collisionKey } from '../core/naming.ts'

/** How many taken names are skipped at most. */
const MAX_NUMBERS = 50

/** One that differs in case alone is that one. With `avoidsFiles` a name that a file has gets a number. */
export async function resultFolder(dir: string, names: readonly string[], avoidsFiles: boolean): Promise<string> {
  let at = dir
  for (const name of names) at = join(at, await nameIn(at, name, avoidsFiles))
  return at
}

async function nameIn(dir: string, name: string, avoidsFiles: boolean): Promise<string> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
  for (let n = 1; n <= MAX_NUMBERS; n += 1) {
    const wanted = n === 1 ? name : `${name}-${n}`
    const key = collisionKey(wanted)
    const same = entries.filter((entry) => collisionKey(entry.name) === key)
    const exact = same.find((entry) => entry.name === wanted)
    const folder = exact?.isFile() === false ? exact : same.find((entry) => entry.isDirectory())
    if (folder !== undefined) return folder.name
    if (same.length === 0 || !avoidsFiles) return wanted
  }
  return name
}
