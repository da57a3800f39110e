import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'vitest'
import { itWith, POSIX } from '../needs.ts'
import { folderForTest } from '../temp-folder.ts'

itWith(POSIX)('a process that ends while a file does not answer does first what is to be done at its exit', () => {
  const dir = folderForTest()
  const pipe = join(dir, 'pipe')
  execFileSync('mkfifo', [pipe])
  // Nobody writes into the pipe, so the reading of it never ends.
  const script = `
    import { readFile } from 'node:fs/promises'
    import { writeSync } from 'node:fs'
    import { endProcess } from ${JSON.stringify(join(import.meta.dirname, '../../src/main/engine/end-process.ts'))}
    process.once('exit', () => writeSync(1, 'cleaned up'))
    readFile(${JSON.stringify(pipe)}).catch(() => undefined)
    endProcess(3)`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([3, 'cleaned up'])
})
