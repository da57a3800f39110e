import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const forAll: string[] = []
const make = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'hangar-test-')))
const remove = (dir: string): void => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 1000 })

/** An empty folder that is gone after the test. */
export function folderForTest(): string {
  const dir = make()
  onTestFinished(() => remove(dir))
  return dir
}

/** An empty folder that is gone after the last test of the file. */
export function folderForAll(): string {
  const dir = make()
  forAll.push(dir)
  return dir
}

/** Called after the last test of each file. */
export function removeFoldersForAll(): void {
  for (const dir of forAll.splice(0)) remove(dir)
}
