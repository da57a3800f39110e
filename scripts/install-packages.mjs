/** Step one of every script: the npm packages of package-lock.json and, among them, a current Node. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { nodePath, root, run, say } from './project.mjs'

/** What the code needs (chokidar 6 and better-sqlite3 13 set the floor). */
export const MIN_NODE = [22, 22]

/** Throws with what to do when packages are missing and cannot be installed. Quiet when there is nothing to do. */
export async function installPackages() {
  const missing = whatIsMissing() ?? ((await nodeIsCurrent()) ? null : 'there is no current Node')
  if (missing === null) return
  say(`Installing the npm packages of package-lock.json into node_modules (${missing}): npm ci`)
  // No package runs a script of its own: all that is needed is in the packages, and each is checked against the lock file.
  await npm(['ci', '--ignore-scripts', '--loglevel=error'])
  if (await nodeIsCurrent()) return
  throw new Error(
    `Hangar needs Node ${MIN_NODE.join('.')} or newer; this is ${process.version}, and no package brings one for this system. ` +
      'Install Node 24 and run the same command again.',
  )
}

/** Compares what npm noted as installed with what the lock file asks for; `null` when they agree. */
function whatIsMissing() {
  const noted = path.join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(noted)) return 'nothing is installed yet'
  const installed = JSON.parse(readFileSync(noted, 'utf8')).packages
  const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages
  for (const [place, entry] of Object.entries(wanted)) {
    if (place === '') continue
    const found = installed[place]
    if (found === undefined && entry.optional === true) continue
    if (found === undefined || found.version !== entry.version || found.integrity !== entry.integrity) {
      return `${place} is not ${entry.version}`
    }
  }
  return null
}

async function nodeIsCurrent() {
  const { code, text } = await run(nodePath(), ['--version'], { output: 'capture' })
  return code === 0 && isCurrent(text.trim().replace(/^v/, '').split('.').map(Number))
}

export function isCurrent([major = 0, minor = 0]) {
  return major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])
}

async function npm(args) {
  const { code } = await run('npm', args, { output: 'stderr' })
  if (code === 0) return
  throw new Error(
    `"npm ${args.join(' ')}" ended with ${code}. Solve what it says above, then run the same command again.`,
  )
}
