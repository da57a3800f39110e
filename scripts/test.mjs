/**
 * `npm test`: the quick suite, every test file but those named `*.long.test.ts`. With arguments, what these name, whichever
 * suite it is in. Sets up what is needed, and ends with one line that counts the tests: `N passed, N failed`, and
 * `, N skipped` when some were. Exit status 0 only when something passed and nothing failed.
 */
import process from 'node:process'
import { announce, QUICK, runTests } from './run-tests.mjs'
import { afterSetUp } from './set-up.mjs'

// What is named may need what the long suite needs.
const system = process.argv.length > 2 ? 'all' : 'quick'
await afterSetUp({ system, built: true }, async (args) => announce(await runTests(args.length > 0 ? args : QUICK)))
