/**
 * `npm test`: sets everything up, runs all suites (or those named), and ends with one line that counts them:
 * `N passed, N failed`, and `, N skipped` when some were. Exit status 0 only when something passed and nothing failed.
 */
import { announce, runTests } from './run-tests.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ system: true, built: true }, async (args) => announce(await runTests(args)))
