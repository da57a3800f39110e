/**
 * `npm run test:faults [-- PART…]`: every fault of every campaign, where `npm run test:long` takes a sample; all parts, or those
 * named. `-- --list` lists them. What comes after a second `--` goes to vitest.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { root, say, wasStopped } from './project.mjs'
import { announce, runTests, sumOf } from './run-tests.mjs'
import { afterSetUp } from './set-up.mjs'

/** `minutes`: on two threads of one core that had other work as well. */
const LONG_PARTS = [
  {
    name: 'damaged-journals',
    files: ['test/faults/damaged-journals.long.test.ts'],
    minutes: 60,
    does: '10,000 journals with random damage',
  },
  {
    name: 'edited-texts',
    files: ['test/faults/edited-texts.long.test.ts'],
    minutes: 12,
    does: 'a kill at each system call after an edit',
  },
  {
    name: 'renamed-results',
    files: ['test/faults/renamed-results.long.test.ts'],
    minutes: 30,
    does: 'a kill at each system call while results are renamed, and at one of the start after it',
  },
  {
    name: 'system-calls',
    files: ['test/faults/system-calls.long.test.ts'],
    minutes: 9,
    does: 'a kill at each system call',
  },
  { name: 'io-errors', files: ['test/faults/io-errors.long.test.ts'], minutes: 11, does: '420 I/O errors' },
  {
    name: 'kills',
    files: ['test/faults/kill.long.test.ts'],
    minutes: 5,
    does: '200 and 67 random kills (HANGAR_KILLS)',
  },
  { name: 'simulation', files: ['test/simulation'], minutes: 13, does: '10,000 sequences in virtual time' },
  {
    name: 'team',
    files: ['test/team'],
    minutes: 65,
    does: 'up to 8 computers with a ledger, through 90 random faults',
  },
]
const FOLDER = 'test/faults'
const others = readdirSync(path.join(root, FOLDER))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `${FOLDER}/${name}`)
  .filter((file) => !LONG_PARTS.some((part) => part.files.includes(file)))
const PARTS = [...LONG_PARTS, { name: 'others', files: others, minutes: 60, does: `the rest of ${FOLDER}` }]

const [names, forVitest] = splitAt(process.argv.slice(2), '--')
const unknown = names.filter((name) => name !== '--list' && !PARTS.some((part) => part.name === name))
if (unknown.length > 0 || names.includes('--list')) {
  for (const name of unknown) say(`There is no part "${name}".`)
  for (const { name, minutes, does } of PARTS) say(`${name.padEnd(15)} about ${minutes} min   ${does}`)
  process.exitCode = unknown.length > 0 ? 2 : 0
} else {
  const parts = names.length === 0 ? PARTS : PARTS.filter((part) => names.includes(part.name))
  await afterSetUp({ system: 'all', built: true }, () => runParts(parts))
}

async function runParts(parts) {
  const runs = []
  const lines = []
  for (const { name, files } of parts) {
    if (wasStopped()) break
    const startedAt = performance.now()
    const totals = await runTests([...files, ...forVitest], { env: { HANGAR_FAULTS: 'all' } })
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
    lines.push(`${name.padEnd(15)} ${totals.passed} passed, ${totals.failed.length} failed, ${minutes} min`)
    runs.push(totals)
  }
  for (const line of lines) say(line)
  return announce(sumOf(runs))
}

function splitAt(list, mark) {
  const at = list.indexOf(mark)
  return at === -1 ? [list, []] : [list.slice(0, at), list.slice(at + 1)]
}
