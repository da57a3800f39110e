import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'hangar-practice-'
const DAY_MS = 24 * 60 * 60 * 1000

function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Removes what killed practice services left: folders a day old whose process is gone. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || processRuns(Number(pid))) continue
    const path = join(parent, name)
    try {
      if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true })
    } catch {
      // Another practice service sweeps at the same time, or the folder belongs to another user: neither is a problem
      // here.
    }
  }
}

interface ScratchFolder {
  path: string
  remove(): void
}

/** A folder of this process for uploads and compressed pictures; removed on `remove`, or when the process exits. */
export function makeScratchFolder(parent = tmpdir()): ScratchFolder {
  sweep(parent)
  const path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  const remove = (): void => {
    process.off('exit', remove)
    rmSync(path, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return { path, remove }
}
