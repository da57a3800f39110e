import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../../..')

/** Whether every user may read what is in a folder: all above it have to let them through. */
export function isReadableByAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false
  return dirname(folder) === folder || isReadableByAll(dirname(folder))
}

/** How a real Electron is started with the built app. */
export interface Runtime {
  /** Such as `33.2.1`. */
  version: string
  /** The unpacked archive, with `version` and the licences. */
  folder: string
  program: string
  /**
   * Electron's own of package.json, started with the app's folder as its first argument; else one for tests alone, which no
   * package for people may hold.
   */
  isOwn: boolean
}

/** Electron's own runtime, where its installer put it. Nothing is downloaded to find out. */
function ownRuntime(): Runtime | null {
  const note = join(ROOT, 'node_modules/electron/path.txt')
  if (!existsSync(note)) return null
  const folder = join(ROOT, 'node_modules/electron/dist')
  const program = join(folder, readFileSync(note, 'utf8').trim())
  if (!existsSync(program)) return null
  return { version: versionIn(folder), folder, program, isOwn: true }
}

/**
 * Where the runtime for tests is once `set-up.ts` made it: outside the checkout, kept for the next one. Named after
 * what it is made from, so that it is made again when that changes.
 */
export const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hangar-tests')

export function runtimeForTests(): string {
  const made = createHash('sha256')
  const sources = ['package-lock.json', 'set-up.ts', 'shim.cjs', 'start.mjs'].map((name) =>
    join(import.meta.dirname, name),
  )
  for (const source of [...sources, join(ROOT, 'node_modules/better-sqlite3/package.json')])
    made.update(readFileSync(source))
  return join(CACHE, `electron-${made.digest('hex').slice(0, 16)}`)
}

/** The program in that folder. It has no app of its own to start: `resources/app` in it loads the built Hangar. */
export const PROGRAM = 'Cypress'

export function versionIn(folder: string): string {
  return readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '')
}

/** A runtime that is there, Electron's own first; null where none is. */
export function findRuntime(): Runtime | null {
  const own = ownRuntime()
  if (own !== null) return own
  const folder = runtimeForTests()
  const program = join(folder, PROGRAM)
  return existsSync(program) ? { version: versionIn(folder), folder, program, isOwn: false } : null
}
