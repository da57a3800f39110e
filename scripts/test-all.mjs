/** `npm run test:all`: both suites, the long one whatever the quick one found; the last line counts the tests of both. */
import { installSystemPackages } from './install-system-packages.mjs'
import { say, wasStopped } from './project.mjs'
import { announce, inWords, LONG, prepareElectron, QUICK, runTests, sumOf } from './run-tests.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ system: 'quick', built: true }, async () => {
  const quick = await runTests(QUICK)
  say(`npm test: ${inWords(quick)}`)
  if (wasStopped()) return announce(quick)
  await installSystemPackages('all')
  await prepareElectron()
  const long = await runTests(LONG)
  say(`npm run test:long: ${inWords(long)}`)
  return announce(sumOf([quick, long]))
})
