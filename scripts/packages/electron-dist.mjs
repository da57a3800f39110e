/** Electron's runtime for a package: what electron-builder downloads, or the folder that ELECTRON_DIST names. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { root } from '../project.mjs'

/**
 * `{ folder, version }` of the unpacked archive that ELECTRON_DIST names, or null: then one of the right version is
 * downloaded. Throws for a folder without a runtime, and for one of another version, which was not tested and may have known
 * holes, unless the package is for tests.
 */
export function electronDist({ forTests = false } = {}) {
  if (!process.env.ELECTRON_DIST) return null
  const folder = path.resolve(process.env.ELECTRON_DIST)
  const note = path.join(folder, 'version')
  if (!existsSync(note)) throw new Error(`ELECTRON_DIST is no unpacked archive of Electron: there is no ${note}.`)
  const version = readFileSync(note, 'utf8').trim().replace(/^v/, '')
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  if (version !== devDependencies.electron && !forTests)
    throw new Error(`ELECTRON_DIST has Electron ${version}; this Hangar needs ${devDependencies.electron}.`)
  return { folder, version }
}
