/**
 * What watching folders costs, and what it finds: `node bench/folders/main.ts [--files 100000] [--json FILE]`.
 * Prints a table; exits 1 when something was not found.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureEventLoss, measureWatching } from './measure-watching.ts'
import { measureWalks } from './measure-walks.ts'
import { makeTree } from './tree.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '100000' },
    'lost-files': { type: 'string', default: '30000' },
    'idle-seconds': { type: 'string', default: '10' },
    json: { type: 'string' },
  },
})
const files = Number(values.files)
const lostFiles = Number(values['lost-files'])
const idleSeconds = Number(values['idle-seconds'])

const base = mkdtempSync(join(tmpdir(), 'hangar-bench-'))
try {
  const root = join(base, 'tree')
  makeTree(root, files)
  const walks = await measureWalks(root, files)
  const watching = await measureWatching(root, files, idleSeconds)
  const loss = await measureEventLoss(join(base, 'loss'), lostFiles)
  const ms = (value: number): string => `${value.toFixed(0)} ms`
  const rows: [string, string][] = [
    ['Files', `${files} in ${walks.folders} folders`],
    ['Bare walk, synchronous (`readdirSync` + `lstatSync`), median of 5', ms(walks.bareSyncMs)],
    ['Bare walk, promises (`readdir` + `lstat`), median of 5', ms(walks.bareAsyncMs)],
    ['First scan, nothing known yet, median of 5', ms(walks.firstPassMs)],
    ['First scan against the bare synchronous walk', walks.firstPassRatioToSync.toFixed(2)],
    ['First scan against the bare walk with promises', walks.firstPassRatioToAsync.toFixed(2)],
    ['Scan with everything known, median of 5', ms(walks.seenPassMs)],
    ['… against the bare synchronous walk', walks.seenPassRatioToSync.toFixed(2)],
    ['Longest block of the event loop during a scan', ms(walks.longestStandstillMs)],
    ['Scan through the thread pool (network drives), median of 5', ms(walks.threadPoolPassMs)],
    ['Heap of what is known of all files', `${watching.knownHeapMb.toFixed(0)} MB`],
    ['From start until every file was offered as stable', ms(watching.allOfferedMs)],
    ['From start until the live watch is ready', ms(watching.liveMs)],
    ['Heap while watching, after garbage collection', `${watching.heapMb.toFixed(0)} MB`],
    ['Resident memory while watching (all of the process)', `${watching.rssMb.toFixed(0)} MB`],
    [`CPU while watching idly for ${idleSeconds} s`, ms(watching.idleCpuMs)],
    [`Found of ${lostFiles} files made while the process was suspended, by events alone`, String(loss.byEvents)],
    ['… by one scan', `${loss.byOnePass} in ${ms(loss.passMs)}`],
  ]
  console.log('| Figure | Value |\n|---|---|')
  for (const [name, value] of rows) console.log(`| ${name} | ${value} |`)
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ files, ...walks, ...watching, ...loss }, null, 2)}\n`)
  if (loss.byOnePass !== lostFiles) process.exitCode = 1
} finally {
  rmSync(base, { recursive: true, force: true })
}
