import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'vitest'
import { hasChromium } from './browser.ts'

/** What a test needs that a computer may lack; null where it is there. */
export type Need = string | null

export const need = (what: string, isThere: boolean): Need => (isThere ? null : what)

/** Programs that are not ours, such as those that judge pictures in place of the code under test. */
export const programs = (...names: string[]): Need => {
  const missing = names.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  return missing.length === 0 ? null : missing.join(', ')
}

/** For one more judge in a test that judges without it too. */
export const hasPrograms = (...names: string[]): boolean => programs(...names) === null

const isRoot = process.getuid?.() === 0

export const CHROMIUM = need('Chromium', hasChromium)
export const POSIX = need('a POSIX system', process.platform !== 'win32')
export const LINUX = need('Linux', process.platform === 'linux')
export const LINUX_ROOT = need('root on Linux', process.platform === 'linux' && isRoot)
export const STRACE = need(
  'strace',
  spawnSync('strace', ['-e', 'trace=openat', 'true'], { stdio: 'ignore' }).status === 0,
)
export const OPENSSL = need('openssl', spawnSync('openssl', ['version']).status === 0)
export const BUILT = need(
  'a build (npm run build)',
  existsSync(join(resolve(import.meta.dirname, '..'), 'out/renderer/index.html')),
)

/** " (needs …)", which `scripts/run-tests.mjs` reads back from the names of what did not run, to group them. */
const lacking = (needs: readonly Need[]): string | null => {
  const missing = needs.filter((each) => each !== null)
  return missing.length === 0 ? null : ` (needs ${[...new Set(missing)].join(', ')})`
}

/** As `describe`, but skipped where something is lacking; what that is stands in the name and in the summary of the run. */
export function describeWith(...needs: Need[]): (name: string, body: () => void) => void {
  const why = lacking(needs)
  return why === null ? describe : (name, body) => describe.skip(name + why, body)
}

/** As `it`, but skipped where something is lacking; see `describeWith`. */
export function itWith(...needs: Need[]): (name: string, body: () => unknown, timeoutMs?: number) => void {
  const why = lacking(needs)
  return (name, body, timeoutMs) => (why === null ? it(name, body, timeoutMs) : it.skip(name + why, body, timeoutMs))
}
