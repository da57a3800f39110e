import { readFileSync } from 'node:fs'
import process from 'node:process'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'

/**
 * How many files a process has to be allowed to open. About 50 are enough to start and send; beyond them come the image workers, the
 * connections of pages and watched folders.
 */
const NEEDED_FILES = 128

/**
 * Throws `too_few_files` where a picture could be paid for and then not be written. Looks on Linux only: macOS allows more, and
 * Node takes what is allowed; Windows has no such limit.
 */
export function assertEnoughFiles(): void {
  const limit = openFilesLimit()
  if (limit < NEEDED_FILES) throw new AppError('too_few_files', say('too_few_files', { limit, needed: NEEDED_FILES }))
}

function openFilesLimit(): number {
  if (process.platform !== 'linux') return Infinity
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}
