import { spawn } from 'node:child_process'
import process from 'node:process'
import type { ChildEntry, ChildHandle, ChildPort } from '../../shared/runtime/ports.ts'
import { entryPoint } from './entry-points.ts'
import { PROBE_ENVIRONMENT } from '../secrets/probe-keychain.ts'

/** What a child may get of our environment: never a key, a proxy with a password or an option for Node. */
const ALLOWED = new Set([
  'PATH',
  'HOME',
  'LANG',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'WINDIR',
  'LD_LIBRARY_PATH',
])

export function childEnvironment(env: NodeJS.ProcessEnv, more: readonly string[] = []): NodeJS.ProcessEnv {
  const allowed = (name: string): boolean =>
    ALLOWED.has(name.toUpperCase()) || name.startsWith('LC_') || more.includes(name)
  const kept = Object.entries(env).filter(([name]) => allowed(name))
  return Object.fromEntries(kept)
}

/**
 * Otherwise glibc keeps the buffers of earlier pictures, in several heaps, for later ones of the same size, and at its
 * peak a worker takes about a quarter more memory. With thresholds of 1 MiB, mapping fresh pages for each picture takes
 * a tenth of its processor time. Other allocators ignore these variables.
 */
const RETURNS_MEMORY = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: `${8 * 1024 ** 2}`,
  MALLOC_TRIM_THRESHOLD_: `${32 * 1024 ** 2}`,
}

/** The whole environment of a child. Only the probe talks to the keychain, so only it gets the address of the session bus. */
export function environmentOf(entry: ChildEntry, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const allowed = childEnvironment(env, entry === 'keychain-probe' ? PROBE_ENVIRONMENT : [])
  return entry === 'image-worker' ? { ...allowed, ...RETURNS_MEMORY } : allowed
}

/**
 * Children as Node processes. `folder` is this one or out/main: see `entryPoint`. `program` is the Node that runs them.
 * Messages are structured-cloned, so bytes stay bytes. A child exits when this process does.
 */
export const forkChildFrom = (folder: string, program = process.execPath): ChildPort => ({
  spawn(entry): ChildHandle {
    // Not `fork`: Electron's starts Electron itself.
    const child = spawn(program, [entryPoint(entry, folder)], {
      serialization: 'advanced',
      env: environmentOf(entry, process.env),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    let ended = false
    const exitListeners: ((code: number | null) => void)[] = []
    const end = (code: number | null): void => {
      if (ended) return
      ended = true
      for (const listener of exitListeners) listener(code)
    }
    child.once('exit', end)
    // A child that could not be started emits no exit; a message to a child that just exited fails here too.
    child.on('error', () => {
      if (child.pid === undefined) end(null)
    })
    return {
      send: (message) => {
        child.send(message as object, () => undefined)
      },
      onMessage: (listener) => {
        child.on('message', listener)
      },
      onExit: (listener) => {
        exitListeners.push(listener)
      },
      kill: () => {
        child.kill('SIGKILL')
      },
    }
  },
})

/** Children started as this program itself was: from source or built. */
export const forkChild = forkChildFrom(import.meta.dirname)
