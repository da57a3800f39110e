/** Runs tests with vitest and counts them. */
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { root, runNode, say } from './project.mjs'

/** The suites, as arguments of vitest: each is two projects of vitest.config.ts. */
export const QUICK = ['--project=quick*']
export const LONG = ['--project=long*']

/** Rooms in which much waits for something else. */
const LATE = ['hooks', 'intake', 'page', 'queue', 'team', 'watch'].map((room) => `test/${room}`)

/** Runs quick tests with random lateness (test/lateness.mjs); a run is repeated by its seed. */
export function runLate(seed = String(Math.floor(Math.random() * 1e9)), files = []) {
  say(`With random lateness; again with: npm run test:late -- ${seed}`)
  const lateness = pathToFileURL(path.join(root, 'test', 'lateness.mjs')).href
  const env = { HANGAR_LATENESS: seed, NODE_OPTIONS: `--import=${lateness}` }
  return runTests([...QUICK, ...(files.length === 0 ? LATE : files)], { env })
}

/** Resolves to how many tests passed, and the names of those that failed or were skipped. `args` are vitest's. */
export async function runTests(args, options = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hangar-test-totals-'))
  const report = path.join(folder, 'report.json')
  if (options.user !== undefined) chownSync(folder, options.user.uid, options.user.gid)
  try {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json']
    const { code } = await runNode([...vitest, `--outputFile=${report}`, ...args], options)
    return readTotals(report, code)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file that does not load and an error outside every test count as one failure each. */
function readTotals(report, code) {
  const totals = { passed: 0, failed: [], skipped: [] }
  if (!existsSync(report)) return { ...totals, failed: [`the test runner, which ended with ${code}`] }
  for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const name = path.relative(root, file.name)
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'))
      totals.failed.push(`${name}: ${file.message}`)
    for (const test of file.assertionResults) {
      if (test.status === 'passed') totals.passed += 1
      else if (test.status === 'failed')
        totals.failed.push(`${name}: ${test.fullName}\n    ${test.failureMessages[0] ?? ''}`)
      else totals.skipped.push(test.fullName)
    }
  }
  if (code !== 0 && totals.failed.length === 0) {
    say(`The test runner ended with ${code} although no test failed: an error outside the tests, see above.`)
    totals.failed.push('an error outside the tests')
  }
  return totals
}

/** An Electron for the tests of the long suite; where none can be had, that is said, and they skip themselves. */
export async function prepareElectron() {
  await runNode(['test/desktop/runtime/set-up.ts'])
}

/** The totals of several runs as those of one. */
export function sumOf(runs) {
  return {
    passed: runs.reduce((sum, { passed }) => sum + passed, 0),
    failed: runs.flatMap(({ failed }) => failed),
    skipped: runs.flatMap(({ skipped }) => skipped),
  }
}

/** `N passed, N failed`, with `, N skipped` when some were. */
export function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`
}

/** Of the message of a failed test; all of it is printed where it failed. */
const MESSAGE_LINES = 12
/** Of a stack: what is not of the project. */
const FOREIGN = /^\s+at .*(?:node_modules|node:|native\))/

/**
 * Prints what did not run, grouped by what this computer lacks, what failed, and the totals in words; returns the exit status.
 * Thousands of lines come before, so what failed is said once more at the end.
 */
export function announce(totals) {
  for (const [reason, names] of byReason(totals.skipped)) {
    say(`${names.length} skipped, ${reason}:`)
    for (const name of names) say(`  ${name}`)
  }
  if (totals.failed.length > 0) say('Failed:')
  for (const failure of totals.failed) say(`  ${inShort(failure)}`)
  process.stdout.write(`${inWords(totals)}\n`)
  return totals.failed.length === 0 && totals.passed > 0 ? 0 : 1
}

function inShort(failure) {
  const lines = failure.split('\n').filter((line) => line.trim() !== '' && !FOREIGN.test(line))
  return lines.slice(0, MESSAGE_LINES).join('\n')
}

/** The names of skipped tests without their reasons, by reason; test/needs.ts puts "(needs …)" into each. */
export function byReason(skipped) {
  const groups = new Map()
  for (const name of skipped) {
    const needs = [...name.matchAll(/ \(needs ([^()]*(?:\([^()]*\)[^()]*)*)\)/g)]
    const reason = needs.length === 0 ? 'for no reason given' : `needs ${needs.map(([, what]) => what).join(', ')}`
    const bare = needs.reduce((left, [all]) => left.replace(all, ''), name)
    groups.set(reason, [...(groups.get(reason) ?? []), bare])
  }
  return groups
}
