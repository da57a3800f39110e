/**
 * `npm run test:windows [-- …]`: real commands of Hangar as `win32`, on Linux under Wine, on Windows as they are. Part of
 * `npm run test:long`. Arguments go to vitest.
 */
import { announce, runTests } from './run-tests.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ system: 'all', built: true }, async (args) => announce(await runTests(['test/windows', ...args])))
