import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { jsonLines, type Folders } from './harness.ts'

export interface HookRecorder {
  /** The value of its flag. */
  flag: string
  told(): Promise<Told[]>
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
  return { flag: JSON.stringify([process.execPath, script, 'a b']), told }
}
export interface Told {
  read: { event: string; batch: string | null; counts: { done: number; held: number }; reasons?: { code: string }[] }
  pid: number
  args: string[]
  env: Record<string, string>
}
