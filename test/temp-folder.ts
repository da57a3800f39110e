import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const make = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'hangar-test-')))
const remove = (dir: string): void => rmSync(dir, { recursive: true, force: true })

/** An empty folder that is gone after the test. */
export function folderForTest(): string {
  const dir = make()
  onTestFinished(() => remove(dir))
  return dir
}

/** An empty folder that is gone after the last test of the file, or of the group. */
export function folderForAll(): string {
  const dir = make()
  afterAll(() => remove(dir))
  return dir
}
