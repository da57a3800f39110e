/** Where things are in a checkout, and how the scripts run one command. Plain JavaScript: it runs before anything is installed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'

export const root = path.resolve(import.meta.dirname, '..')

const WINDOWS = process.platform === 'win32'
const SYSTEM = `${WINDOWS ? 'win' : process.platform}-${process.arch}`
/** One of the optional packages of package.json; macOS has none and uses the machine's own. */
const packagedNode = path.join(root, 'node_modules', `node-${SYSTEM}`, 'bin', WINDOWS ? 'node.exe' : 'node')

/** Commands that run right now. */
const running = new Set()
let stopped = false

/** The current Node that a package brings; the machine's own where there is none for this system. */
export function nodePath() {
  return existsSync(packagedNode) ? packagedNode : process.execPath
}

/**
 * The environment for whatever runs after set-up: `node` and the tools of this checkout come first, and what Node has
 * compiled once it takes from a cache, which halves the start of each of the many processes.
 */
export function toolEnvironment() {
  const first = path.dirname(nodePath())
  const tools = path.join(root, 'node_modules', '.bin')
  return {
    NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    // How a person starts the command line of this checkout from any folder.
    HANGAR_RUN_AS: `npm --prefix ${quotedRoot()} run -s hangar --`,
    PATH: [first, tools, process.env.PATH ?? ''].join(path.delimiter),
  }
}

function quotedRoot() {
  if (/^[\w@%+=:,./\\-]+$/.test(root)) return root
  return WINDOWS ? `"${root}"` : `'${root.replaceAll("'", `'\\''`)}'`
}

export function say(line) {
  process.stderr.write(`${line}\n`)
}

/**
 * Runs one command in the checkout and resolves to its exit code, 130 when a signal ended it.
 * `output`: 'inherit' (default), 'stderr' (both streams go to stderr), 'capture' (returned as `text`) or a function that
 * gets each line of stdout (stderr is inherited). `user`: `uid` and `gid`, where it is root who runs it.
 */
export function run(command, args, options = {}) {
  return start(command, args, options).ended
}

/** The same for a command that has to be stopped: `ended` is what `run` resolves to. */
export function start(command, args, { env = process.env, output = 'inherit', cwd = root, user = {} } = {}) {
  const streams = { inherit: 'inherit', stderr: ['inherit', 2, 2], capture: ['ignore', 'pipe', 'pipe'] }
  const stdio = typeof output === 'function' ? ['inherit', 'pipe', 'inherit'] : streams[output]
  const child = spawn(command, args, { ...user, cwd, env, stdio, shell: WINDOWS && command === 'npm' })
  running.add(child)
  const chunks = []
  if (typeof output === 'function') createInterface({ input: child.stdout }).on('line', output)
  else child.stdout?.on('data', (chunk) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => chunks.push(chunk))
  const text = () => Buffer.concat(chunks).toString('utf8')
  const ended = new Promise((resolve) => {
    child.on('error', (error) => {
      running.delete(child)
      resolve({ code: 127, text: `${text()}${command}: ${error.message}\n` })
    })
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 130, text: text() })
    })
  })
  return { ended, stop: (signal) => child.kill(signal) }
}

/** Runs a tool of this checkout (`vitest`, `oxlint`, …) under the current Node, by the path of its JavaScript. */
export function runNode(args, options = {}) {
  return run(nodePath(), args, { ...options, env: { ...toolEnvironment(), ...options.env } })
}

/**
 * A script ends when its command has ended. Ctrl-C has reached the command already, through the terminal, and it decides
 * what to do; a SIGTERM reaches this process alone and is passed on.
 */
export function leaveSignalsToChildren() {
  process.on('SIGINT', () => {
    stopped = true
  })
  process.on('SIGTERM', () => {
    stopped = true
    for (const child of running) child.kill('SIGTERM')
  })
}

/** Whether this script was asked to end: it then starts no further command. */
export function wasStopped() {
  return stopped
}
