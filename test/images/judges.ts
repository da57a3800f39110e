import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderForTest } from '../temp-folder.ts'

/** A file in a folder that is gone when the test is over. */
export function fileOf(name: string, bytes: Uint8Array): string {
  const path = join(folderForTest(), name)
  writeFileSync(path, bytes)
  return path
}

/** Runs a program to its end, and gives what it said. */
export function judge(program: string, args: string[]) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { maxBuffer: 256 * 1_048_576, timeout: 90_000 })
  if (error !== undefined) throw error
  const words = `${stderr.toString()}${stdout.length < 100_000 ? stdout.toString() : ''}`.trim()
  return { status, out: stdout, words }
}
