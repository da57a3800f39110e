/**
 * `npm run test:long [-- …]`: the long suite, the test files named `*.long.test.ts`, or those of them that the arguments name.
 * Ends as `npm test` does.
 */
import { announce, LONG, prepareElectron, runTests } from './run-tests.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ system: 'all', built: true }, async (args) => {
  await prepareElectron()
  return announce(await runTests([...LONG, ...args]))
})
