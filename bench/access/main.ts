/**
 * Processor time of giving results the access of their pictures, programs that are started included:
 * `node bench/access/main.ts [--pictures 200]`.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { discardStaged, stageFile } from '../../src/main/files/stage-file.ts'

const { values } = parseArgs({ options: { pictures: { type: 'string', default: '200' } } })
const pictures = Number(values.pictures)
const TICKS_PER_SECOND = 100

/** Of this process and of its children, the running ones too. */
function processorMs(): number {
  const ticks = (pid: string): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  }
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').split(' ').filter(Boolean)
  return ([...children, 'self'].reduce((sum, pid) => sum + ticks(pid), 0) * 1000) / TICKS_PER_SECOND
}

const dir = mkdtempSync(join(tmpdir(), 'hangar-bench-'))
try {
  for (const mode of [0o600, 0o644, 0o600, 0o644]) {
    const before = processorMs()
    for (let nth = 0; nth < pictures; nth += 1) {
      const picture = join(dir, `${mode}-${nth}.jpg`)
      writeFileSync(picture, 'x')
      chmodSync(picture, mode)
      const request = { rootDir: dir, targetDir: dir, jobId: `bench-${nth}`, role: 'converted', maxBytes: 10 } as const
      await discardStaged(await stageFile({ ...request, accessFrom: picture }, (sink) => sink(Buffer.from('y'))))
      rmSync(picture)
    }
    const perPicture = (processorMs() - before) / pictures
    console.log(`mode ${mode.toString(8)}: ${perPicture.toFixed(1)} ms of processor time a picture`)
  }
} finally {
  rmSync(dir, { recursive: true })
}
