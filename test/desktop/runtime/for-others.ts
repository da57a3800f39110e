/**
 * Lets other users than root start the runtime: root's cache is closed to them, and Chromium's sandbox needs a program that
 * belongs to root and is setuid, as in packages, where people may make no namespaces. Takes no room: all else is hard links.
 * Run as root with the folder of a cache, such as `XDG_CACHE_HOME`, it puts the runtime there.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findRuntime, type Runtime } from './runtime-place.ts'

const SANDBOX = 'chrome-sandbox'

/** The same runtime in the folder `to`, which is not there yet. */
export function copyForOthers(runtime: Runtime, to: string): Runtime {
  try {
    execFileSync('cp', ['-al', runtime.folder, to], { stdio: 'ignore' })
  } catch {
    // On another file system.
    rmSync(to, { recursive: true, force: true })
    execFileSync('cp', ['-a', runtime.folder, to])
  }
  const sandbox = join(to, SANDBOX)
  if (existsSync(sandbox)) {
    rmSync(sandbox)
    copyFileSync(join(runtime.folder, SANDBOX), sandbox)
    chmodSync(sandbox, 0o4755)
  }
  return { ...runtime, folder: to, program: join(to, basename(runtime.program)) }
}

const [cache] = import.meta.main ? process.argv.slice(2) : []
const runtime = findRuntime()
if (cache !== undefined && runtime !== null) {
  mkdirSync(join(cache, 'hangar-tests'), { recursive: true })
  copyForOthers(runtime, join(cache, 'hangar-tests', basename(runtime.folder)))
}
