/** An AppImage, where the tool that makes them is there. */
import { mkdirSync, mkdtempSync, copyFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { run, say } from '../../project.mjs'
import { appFiles } from './app-files.mjs'
import { menuEntry, NAME } from './menu-entry.mjs'

const TOOL = 'appimagetool'
const ARCH = { 'linux-x64': 'x86_64', 'linux-arm64': 'aarch64' }
const START = `#!/bin/sh
exec "\${APPDIR:-$(dirname "$(readlink -f "$0")")}/usr/lib/${NAME}/${NAME}" "$@"
`

/** Whether there is the tool; says how to come by it where not. */
export async function hasAppImageTool() {
  const { code } = await run(TOOL, ['--version'], { output: 'capture' })
  if (code === 0) return true
  say(`An AppImage needs ${TOOL}, which is not in PATH. It is at https://github.com/AppImage/appimagetool/releases.`)
  return false
}

/** Writes the AppImage of an unpacked app to `file`. */
export async function makeAppImage({ app, system, target, file }) {
  const folder = mkdtempSync(path.join(path.dirname(file), 'appimage-'))
  try {
    const inHome = appFiles(app.folder).map((entry) => ({ ...entry, name: `usr/lib/${NAME}/${entry.name}` }))
    const top = [
      { name: 'AppRun', bytes: Buffer.from(START), isProgram: true },
      { name: `${NAME}.desktop`, bytes: Buffer.from(menuEntry()) },
      { ...system.find(({ name }) => name.endsWith('.svg')), name: `${NAME}.svg` },
    ]
    for (const entry of [...inHome, ...system, ...top]) put(folder, entry)
    const { code, text } = await run(TOOL, [folder, file], {
      output: 'capture',
      env: { ...process.env, ARCH: ARCH[target], VERSION: app.version },
    })
    if (code !== 0) throw new Error(`${TOOL} made no AppImage:\n${text}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function put(folder, { name, file, bytes, isProgram }) {
  const place = path.join(folder, name)
  mkdirSync(path.dirname(place), { recursive: true })
  if (bytes === undefined) copyFileSync(file, place)
  else writeFileSync(place, bytes, { mode: isProgram === true ? 0o755 : 0o644 })
}
