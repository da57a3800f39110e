import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Paths = z.array(z.string())

/** A start takes its list within minutes; one that is older than this was left by a start that crashed. */
const MAX_AGE_MS = 24 * 3_600_000

const folderIn = (dataDir: string): string => join(dataDir, 'handed-over')
const fileOf = (dataDir: string, id: string): string => join(folderIn(dataDir), `${id}.json`)

/** Keeps the paths of a start for the Hangar that takes them; returns the id of the list. Throws the disk's error. */
export function writePathList(dataDir: string, paths: readonly string[]): string {
  const id = randomUUID()
  mkdirSync(folderIn(dataDir), { recursive: true, mode: 0o700 })
  removeLeftLists(folderIn(dataDir))
  writeFileSync(fileOf(dataDir, id), JSON.stringify(paths), { flag: 'wx', mode: 0o600 })
  return id
}

function removeLeftLists(folder: string): void {
  const oldestMs = Date.now() - MAX_AGE_MS
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    // Another start may have removed it.
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? oldestMs) < oldestMs) rmSync(file, { force: true })
  }
}

/** The paths of a list, which is then gone. Rejects when there is none. */
export async function takePathList(dataDir: string, id: string): Promise<string[]> {
  const file = fileOf(dataDir, id)
  const paths = Paths.parse(JSON.parse(await readFile(file, 'utf8')))
  await rm(file)
  return paths
}
