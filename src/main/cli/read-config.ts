import { open, stat } from 'node:fs/promises'
import { readJson } from '../core/read-json.ts'
import { problemsOf, type Problem } from './config-problems.ts'
import { ConfigFile } from './config-shape.ts'

export type ReadConfig = { ok: true; config: ConfigFile } | { ok: false; problems: Problem[] }

/** A thousand folders with many patterns take less. */
const MAX_MB = 5

/** A configuration from a file, with all that is wrong with it; never throws. */
export async function readConfigFile(file: string): Promise<ReadConfig> {
  try {
    // Opening a pipe would wait for a writer.
    if (!(await stat(file)).isFile()) return wrong(`${file} is not a file.`)
    const handle = await open(file)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) return wrong(`${file} is not a file.`)
      if (stats.size > MAX_MB * 1_000_000) return wrong(`A configuration has at most ${MAX_MB} MB.`)
      return readConfig(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (error) {
    return wrong(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function readConfig(bytes: Uint8Array): ReadConfig {
  const read = readJson(bytes)
  return 'wrong' in read ? wrong(read.wrong) : checkConfig(read.value)
}

export function checkConfig(value: unknown): ReadConfig {
  const parsed = ConfigFile.safeParse(value)
  if (parsed.success) return { ok: true, config: parsed.data }
  return { ok: false, problems: parsed.error.issues.flatMap(problemsOf) }
}

const wrong = (message: string): { ok: false; problems: Problem[] } => ({
  ok: false,
  problems: [{ path: '', message }],
})
