#!/usr/bin/env node
/** The command line's entry: runs one command and exits with its status. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { dirname } from 'node:path'
import process from 'node:process'
import { compiledDir } from './engine/data-dir.ts'

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
// As `engines` in package.json: the journal's native part crashes in an older one without a word.
if (major < 22 || (major === 22 && minor < 22)) {
  process.stderr.write(`Hangar needs Node 22.22 or newer. This is Node ${process.versions.node}.\n`)
  process.exit(70)
}
keepCompiled(compiledDir(process.platform, process.env))
await import('./cli/main.ts')

/** Lets the next command reuse what this one compiled. Code could be planted in it, so it is for this user alone. */
function keepCompiled(dir: string): void {
  try {
    // A user without a home has no such place.
    if (existsSync(dirname(dirname(dir)))) mkdirSync(dir, { recursive: true, mode: 0o700 })
    if (process.platform === 'win32' || (isClosed(dir) && isClosed(dirname(dir)))) module.enableCompileCache(dir)
  } catch {
    // There is no such place for this user.
  }
}

/** A folder, and no link to one, that nobody else may write in or exchange. */
function isClosed(dir: string): boolean {
  const found = lstatSync(dir)
  return found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0
}
