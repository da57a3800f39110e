/**
 * `npm run test:late [-- SEED [FILE…]]`: quick tests in which files, requests, messages and processes are late at random, of some
 * rooms or those named. Ends as `npm test` does.
 */
import { announce, runLate } from './run-tests.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ system: 'all', built: true }, async ([seed, ...files]) => announce(await runLate(seed, files)))
