/** `npm run test:all`: both suites, and some quick tests with random lateness, whatever failed before; the last line counts all. */
import { installSystemPackages } from './install-system-packages.mjs'
import { say, wasStopped } from './project.mjs'
import { announce, inWords, LONG, prepareElectron, QUICK, runLate, runTests, sumOf } from './run-tests.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ system: 'quick', built: true }, async () => {
  const quick = await runTests(QUICK)
  say(`npm test: ${inWords(quick)}`)
  if (wasStopped()) return announce(quick)
  await installSystemPackages('all')
  await prepareElectron()
  const long = await runTests(LONG)
  say(`npm run test:long: ${inWords(long)}`)
  return announce(sumOf([quick, long, await runLate()]))
})
