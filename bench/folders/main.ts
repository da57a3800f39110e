/**
 * What watching folders costs, and what it finds:
 * `node bench/folders/main.ts [--files 100000] [--folders 1] [--watching-only] [--json FILE]`.
 * With `--folders` of more than one, that many folders beside each other are watched at once, with the files spread over them.
 * Prints a table; exits 1 when something was not found.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureEventLoss, measureWatching } from './measure-watching.ts'
import { measureWalks } from './measure-walks.ts'
import { makeFolders, makeTree } from './tree.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '100000' },
    folders: { type: 'string', default: '1' },
    'watching-only': { type: 'boolean', default: false },
    'lost-files': { type: 'string', default: '30000' },
    'idle-seconds': { type: 'string', default: '60' },
    json: { type: 'string' },
  },
})
const files = Number(values.files)
const folders = Number(values.folders)
const lostFiles = Number(values['lost-files'])
const idleSeconds = Number(values['idle-seconds'])
const ms = (value: number): string => `${value.toFixed(0)} ms`
const mb = (value: number): string => `${value.toFixed(0)} MB`

const base = mkdtempSync(join(tmpdir(), 'hangar-bench-'))
try {
  const root = join(base, 'tree')
  const roots = folders === 1 ? [root] : makeFolders(root, folders, files)
  if (folders === 1) makeTree(root, files)
  const watching = measureWatching(roots, files, idleSeconds)
  const rows: [string, string][] = [
    ['Files', folders === 1 ? String(files) : `${files} in ${folders} watched folders`],
    ['From start until every file was offered as stable', ms(watching.allOfferedMs)],
    ['From start until all is watched live and scanned again', ms(watching.liveMs)],
    ['Processor time until then', ms(watching.cpuMs)],
    ['Resident memory before', mb(watching.startRssMb)],
    ['Resident memory while watching', mb(watching.rssMb)],
    ['… at most', mb(watching.peakRssMb)],
    ['Heap while watching, after garbage collection', mb(watching.heapMb)],
    [`Processor time while watching idly for ${idleSeconds} s`, ms(watching.idleCpuMs)],
  ]
  const figures: object = { files, folders, ...watching }
  if (!values['watching-only'] && folders === 1) {
    const walks = await measureWalks(root, files)
    const loss = await measureEventLoss(join(base, 'loss'), lostFiles)
    Object.assign(figures, walks, loss)
    rows.push(
      ['Folders in the tree', String(walks.folders)],
      ['Bare walk, synchronous (`readdirSync` + `lstatSync`), median of 5', ms(walks.bareSyncMs)],
      ['Bare walk, promises (`readdir` + `lstat`), median of 5', ms(walks.bareAsyncMs)],
      ['First scan, nothing known yet, median of 5', ms(walks.firstPassMs)],
      ['First scan against the bare synchronous walk', walks.firstPassRatioToSync.toFixed(2)],
      ['First scan against the bare walk with promises', walks.firstPassRatioToAsync.toFixed(2)],
      ['Scan with everything known, median of 5', ms(walks.seenPassMs)],
      ['… against the bare synchronous walk', walks.seenPassRatioToSync.toFixed(2)],
      ['Longest block of the event loop during a scan', ms(walks.longestStandstillMs)],
      ['Scan through the thread pool (network drives), median of 5', ms(walks.threadPoolPassMs)],
      [
        `Found of ${lostFiles} files made while the process was suspended, more than the kernel tells of`,
        `${loss.found} after ${ms(loss.foundMs)}`,
      ],
    )
    if (loss.found !== lostFiles) process.exitCode = 1
  }
  console.log('| Figure | Value |\n|---|---|')
  for (const [name, value] of rows) console.log(`| ${name} | ${value} |`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`)
} finally {
  rmSync(base, { recursive: true, force: true })
}
