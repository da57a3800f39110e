import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { findRuntime, PROGRAM, ROOT, type Runtime } from '../desktop/runtime/runtime-place.ts'

/** What of the runtime for tests is the app's that it was made for, or of no use to another. */
const NOT_ELECTRON = ['browser_v8_context_snapshot.bin', 'resources']

/** Packages refuse `--inspect`; a start with this variable opens the inspector itself. */
export const INSPECT = 'HANGAR_TEST_INSPECT'
const START = `import inspector from 'node:inspector'
import './shim.cjs'
if (process.env.${INSPECT} !== undefined) inspector.open(0, '127.0.0.1')
delete process.env.${INSPECT}
await import('../out/main/index.js')
`

/**
 * What `npm run dist:desktop` needs to make a package with a runtime: its folder as Electron publishes it, and for one that is
 * for tests alone what has to start before Hangar in it. `folder` is empty.
 */
function packableRuntime(runtime: Runtime, folder: string): { dist: string; args: string[] } {
  if (runtime.isOwn) return { dist: runtime.folder, args: [] }
  const [dist, start] = [join(folder, 'runtime'), join(folder, 'start')]
  cpSync(runtime.folder, dist, { recursive: true, filter: (path) => !NOT_ELECTRON.includes(basename(path)) })
  mkdirSync(join(dist, 'resources'))
  renameSync(join(dist, PROGRAM), join(dist, 'electron'))
  cpSync(join(runtime.folder, 'resources/app'), start, { recursive: true })
  writeFileSync(join(start, 'start.mjs'), START)
  return { dist, args: ['--test-start', start] }
}

/** Makes packages of the desktop app, of these kinds (`--deb`), in a folder; `spare` is an empty one. */
export async function makeDesktopPackages(kinds: string[], out: string, spare: string): Promise<void> {
  const { dist, args } = packableRuntime(findRuntime()!, spare)
  const command = ['scripts/dist-desktop.mjs', ...kinds, '--level', '1', '--out', out, ...args]
  const env = { ...process.env, ELECTRON_DIST: dist }
  await promisify(execFile)(process.execPath, command, { cwd: ROOT, env, maxBuffer: 2 ** 26 })
}
