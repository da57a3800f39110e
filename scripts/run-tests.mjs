/** Runs tests with vitest and counts them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { runNode, say } from './project.mjs'

/** The lanes, as arguments of vitest: each is one or two projects of vitest.config.ts. */
export const QUICK = ['--project=quick*']
export const LONG = ['--project=long']

/** Resolves to how many tests passed and failed, and the names of those that were skipped. `args` are vitest's. */
export async function runTests(args, options = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hangar-test-totals-'))
  const report = path.join(folder, 'report.json')
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
  const totals = { passed: 0, failed: 0, skipped: [] }
  if (!existsSync(report)) return { ...totals, failed: 1 }
  for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) totals.failed += 1
    for (const test of file.assertionResults) {
      if (test.status === 'passed') totals.passed += 1
      else if (test.status === 'failed') totals.failed += 1
      else totals.skipped.push(test.fullName)
    }
  }
  if (code !== 0 && totals.failed === 0) {
    say(`The test runner ended with ${code} although no test failed: an error outside the tests, see above.`)
    totals.failed = 1
  }
  return totals
}

/** The totals of several runs as those of one. */
export function sumOf(runs) {
  return {
    passed: runs.reduce((sum, { passed }) => sum + passed, 0),
    failed: runs.reduce((sum, { failed }) => sum + failed, 0),
    skipped: runs.flatMap(({ skipped }) => skipped),
  }
}

/** `N passed, N failed`, with `, N skipped` when some were. */
export function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`
}

/** Prints what did not run, grouped by what this computer lacks, then the totals in words, and returns the exit status. */
export function announce(totals) {
  for (const [reason, names] of byReason(totals.skipped)) {
    say(`${names.length} skipped, ${reason}:`)
    for (const name of names) say(`  ${name}`)
  }
  process.stdout.write(`${inWords(totals)}\n`)
  return totals.failed === 0 && totals.passed > 0 ? 0 : 1
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
