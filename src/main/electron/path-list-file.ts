import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Paths = z.array(z.string())

const fileOf = (dataDir: string, id: string): string => join(dataDir, 'handed-over', `${id}.json`)

/** Keeps the paths of a start for the Hangar that takes them; returns the id of the list. Throws the disk's error. */
export function writePathList(dataDir: string, paths: readonly string[]): string {
  const id = randomUUID()
  mkdirSync(join(dataDir, 'handed-over'), { recursive: true, mode: 0o700 })
  writeFileSync(fileOf(dataDir, id), JSON.stringify(paths), { flag: 'wx', mode: 0o600 })
  return id
}

/** The paths of a list, which is then gone. Rejects when there is none. */
export async function takePathList(dataDir: string, id: string): Promise<string[]> {
  const file = fileOf(dataDir, id)
  const paths = Paths.parse(JSON.parse(await readFile(file, 'utf8')))
  await rm(file)
  return paths
}
