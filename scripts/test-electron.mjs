/**
 * `npm run test:electron [-- …]`: the desktop app in a real Electron on a screen of its own. Part of `npm run test:long`.
 * `--as-user`, for root: as nobody, so with Chromium's sandbox. Other arguments go to vitest.
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { runNode, say } from './project.mjs'
import { announce, prepareElectron, runTests } from './run-tests.mjs'
import { afterSetUp } from './set-up.mjs'

const NOBODY = { uid: 65_534, gid: 65_534 }

await afterSetUp({ system: 'all', built: true }, async (args) => {
  await prepareElectron()
  const isAsUser = args.includes('--as-user')
  const suites = ['test/desktop', ...args.filter((arg) => arg !== '--as-user')]
  if (!isAsUser) return announce(await runTests(suites))
  if (process.getuid?.() === 0) return asNobody(suites)
  say('--as-user is for root: the suites run as an ordinary user already.')
  return 2
})

/** With a home and a cache of their own, and nothing written into the checkout. */
async function asNobody(suites) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'hangar-nobody-'))
  try {
    chmodSync(home, 0o755)
    for (const name of ['cache', 'tmp']) mkdirSync(path.join(home, name))
    for (const folder of [home, path.join(home, 'tmp')]) chownSync(folder, NOBODY.uid, NOBODY.gid)
    const cache = path.join(home, 'cache')
    await runNode(['test/desktop/runtime/for-others.ts', cache])
    const env = { HOME: home, XDG_CACHE_HOME: cache, TMPDIR: path.join(home, 'tmp') }
    const args = ['--configLoader=native', '--no-cache', ...suites]
    return announce(await runTests(args, { user: NOBODY, env: { ...process.env, ...env } }))
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 1000 })
  }
}
