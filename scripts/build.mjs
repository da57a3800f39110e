/** Builds `out/` with electron-vite, when something it is made from is newer than what was built. */
import { chmodSync, existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { installPackages } from './install-packages.mjs'
import { writeLanguageList } from './list-languages.mjs'
import { root, runNode, say } from './project.mjs'

const SOURCES = ['src', 'resources', 'electron.vite.config.ts', 'package.json', 'package-lock.json']
const stamp = path.join(root, 'out', '.built')

/** Throws with the builder's own words when it fails. */
export async function build({ always = false } = {}) {
  writeLanguageList()
  if (!always && existsSync(stamp) && newestMs(SOURCES) < statSync(stamp).mtimeMs) return
  say('Building out/ with electron-vite')
  // Taken before the build: a file saved while it runs must count as newer.
  const startedAt = new Date()
  const { code, text } = await runNode(
    [path.join('node_modules', 'electron-vite', 'bin', 'electron-vite.js'), 'build'],
    {
      output: 'capture',
    },
  )
  if (code !== 0) throw new Error(`The build failed:\n${text}`)
  const commandLine = path.join(root, 'out', 'main', 'cli.js')
  if (existsSync(commandLine)) chmodSync(commandLine, 0o755)
  writeFileSync(stamp, '')
  utimesSync(stamp, startedAt, startedAt)
}

/** Folders count as well: a file removed or renamed changes only its folder. */
function newestMs(places) {
  let newest = 0
  for (const place of places) {
    const full = path.join(root, place)
    if (!existsSync(full)) continue
    const stat = statSync(full)
    newest = Math.max(newest, stat.mtimeMs)
    if (stat.isDirectory()) newest = Math.max(newest, newestMs(readdirSync(full).map((name) => path.join(place, name))))
  }
  return newest
}

if (process.argv[1] === import.meta.filename) {
  await installPackages()
  await build({ always: true })
}
