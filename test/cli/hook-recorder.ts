import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { Hook } from '../../src/shared/contract/hooks.ts'
import { jsonLines, type Folders } from './harness.ts'

export interface HookRecorder {
  /** The program and its arguments. */
  run: string[]
  told(): Promise<Told[]>
}

/** A data folder with these hooks. */
export async function dataWithHooks(folders: Folders, hooks: readonly Hook[]): Promise<string> {
  const data = await folders.make('data')
  await writeFile(join(data, 'hooks.json'), JSON.stringify(hooks), { mode: 0o600 })
  return data
}

/** A hook that adds a line to a file with what it read and its environment, then does `more`. */
export async function hookRecorder(folders: Folders, more = ''): Promise<HookRecorder> {
  const folder = await folders.make('hook')
  const [script, file] = [join(folder, 'hook.mjs'), join(folder, 'told.jsonl')]
  await writeFile(
    script,
    `import { appendFileSync } from 'node:fs'
     import { text } from 'node:stream/consumers'
     const read = JSON.parse(await text(process.stdin))
     appendFileSync(${JSON.stringify(file)}, JSON.stringify({ read, pid: process.pid, args: process.argv.slice(2), env: process.env }) + '\\n')
     ${more}`,
  )
  const told = async () => (existsSync(file) ? jsonLines(await readFile(file, 'utf8')) : []) as unknown as Told[]
  return { run: [process.execPath, script, 'a b'], told }
}
export interface Told {
  read: { event: string; batch: string | null; counts: { done: number; held: number }; reasons?: { code: string }[] }
  pid: number
  args: string[]
  env: Record<string, string>
}
