/**
 * `npm run dist`: the desktop package of this system in dist/, with electron-builder. Arguments go to it as they are, e.g.
 * `npm run dist -- --linux deb` or `-- --dir` for the unpacked application. Electron's runtime is downloaded, or taken from the
 * folder that ELECTRON_DIST names: that of Electron's archive for this system, unpacked.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { root, runNode } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (args) => {
  const builder = ['node_modules/electron-builder/cli.js', '--config', 'electron-builder.yml', '--publish', 'never']
  const { code } = await runNode([...builder, ...runtimeFromFolder(), ...args])
  return code
})

/** What electron-builder is told. Throws for a folder without a runtime, and for one of another version: that was not tested. */
function runtimeFromFolder() {
  if (!process.env.ELECTRON_DIST) return []
  const folder = path.resolve(process.env.ELECTRON_DIST)
  const note = path.join(folder, 'version')
  if (!existsSync(note)) throw new Error(`ELECTRON_DIST is no unpacked archive of Electron: there is no ${note}.`)
  const found = readFileSync(note, 'utf8').trim().replace(/^v/, '')
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  if (found !== devDependencies.electron)
    throw new Error(`ELECTRON_DIST has Electron ${found}; this Hangar needs ${devDependencies.electron}.`)
  return [`-c.electronDist=${folder}`]
}
