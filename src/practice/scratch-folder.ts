import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'hangar-practice-'

interface ScratchFolder {
  path: string
  remove(): void
}

/** A folder of this process for uploads and compressed pictures; removed on `remove`, or when the process exits. */
export function makeScratchFolder(): ScratchFolder {
  const path = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  const remove = (): void => {
    process.off('exit', remove)
    rmSync(path, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return { path, remove }
}
