/** Electron's own runtime: its package brings none and downloads it on first use, which not every computer can do. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { clearInterval, setInterval } from 'node:timers'
import { nodePath, root, say, start, toolEnvironment } from './project.mjs'

const PACKAGE = path.join(root, 'node_modules', 'electron')
/** Nothing at all came: there is no connection. */
const FIRST_BYTE_MS = 8000
/** Nothing more came; unpacking takes a while as well. */
const STALLED_MS = 45_000
const LOOK_MS = 500

/** The executable, downloaded if need be, or null: then the reason was said. */
export async function electronRuntime() {
  return installedRuntime() ?? ((await download()) ? installedRuntime() : null)
}

/** As the package itself finds it (its index.js). */
function installedRuntime() {
  const note = path.join(PACKAGE, 'path.txt')
  if (!existsSync(note)) return null
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? path.join(PACKAGE, 'dist')
  const executable = path.join(folder, readFileSync(note, 'utf8').trim())
  return existsSync(executable) ? executable : null
}

/** Runs the package's own installer for as long as bytes arrive. */
async function download() {
  if (!existsSync(path.join(PACKAGE, 'install.js'))) return false
  say("Downloading Electron's runtime, once")
  // The installer writes to the temporary folder first: what grows there is how far it is.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hangar-electron-'))
  const env = { ...toolEnvironment(), TMPDIR: folder, TMP: folder, TEMP: folder }
  const installer = start(nodePath(), [path.join(PACKAGE, 'install.js')], { env, output: 'capture' })
  let seen = { bytes: 0, atMs: performance.now() }
  const watch = setInterval(() => {
    const bytes = sizeOf(folder)
    if (bytes !== seen.bytes) seen = { bytes, atMs: performance.now() }
    const patienceMs = bytes === 0 ? FIRST_BYTE_MS : STALLED_MS
    if (performance.now() - seen.atMs > patienceMs) installer.stop('SIGKILL')
  }, LOOK_MS)
  const { code } = await installer.ended
  clearInterval(watch)
  rmSync(folder, { recursive: true, force: true })
  return code === 0
}

function sizeOf(folder) {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  return bytes
}
