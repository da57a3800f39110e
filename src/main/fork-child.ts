import { fork } from 'node:child_process'
import type { ChildHandle, ChildPort } from '../shared/ports.ts'
import { entryPoint } from './entry-points.ts'
import { PROBE_ENVIRONMENT } from './secrets/probe-keychain.ts'

/** What a child may know of our environment: never a key, a proxy with a password or an option for Node. */
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
 * Children as Node processes, from the entries in `folder`, which is src/main or what was built from it. Messages are
 * structured-cloned, so bytes stay bytes. A child ends when we do.
 */
export const forkChildFrom = (folder: string): ChildPort => ({
  spawn(entry): ChildHandle {
    const child = fork(entryPoint(entry, folder), [], {
      serialization: 'advanced',
      // Only the probe talks to the keychain, and needs to know where the session's bus is.
      env: childEnvironment(process.env, entry === 'keychain-probe' ? PROBE_ENVIRONMENT : []),
      execArgv: [],
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
    // A child that could not be started has no exit; a message to one that just went away ends here too.
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

/** Children started the way that this program itself was: from source or built. */
export const forkChild = forkChildFrom(import.meta.dirname)
