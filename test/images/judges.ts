import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A file in a folder that is gone when the test is over. */
export function fileOf(name: string, bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-judge-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

export interface Verdict {
  status: number | null
  out: Buffer
  words: string
}

/** Runs a program to its end, and gives what it said. */
export function judge(program: string, args: string[]): Verdict {
  const { status, stdout, stderr, error } = spawnSync(program, args, { maxBuffer: 256 * 1_048_576, timeout: 90_000 })
  if (error !== undefined) throw error
  return {
    status,
    out: stdout,
    words: `${stderr.toString()}${stdout.length < 100_000 ? stdout.toString() : ''}`.trim(),
  }
}
