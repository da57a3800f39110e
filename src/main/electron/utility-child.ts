import process from 'node:process'
import { utilityProcess } from 'electron'
import type { ChildHandle, ChildPort, Logger } from '../../shared/runtime/ports.ts'
import { entryPoint } from '../children/entry-points.ts'
import { environmentOf } from '../children/fork-child.ts'

/**
 * Children as Electron's utility processes: Node without a window, in a process of their own. They end with this
 * process.
 */
export function utilityChildren(log: Logger): ChildPort {
  return {
    spawn(entry): ChildHandle {
      const child = utilityProcess.fork(entryPoint(entry), [], {
        env: environmentOf(entry, process.env),
        execArgv: [],
        stdio: ['ignore', 'ignore', 'inherit'],
        serviceName: `Hangar ${entry}`,
      })
      child.on('error', (type) => log.warn('a child process failed', { entry, type }))
      return {
        send: (message) => child.postMessage(message),
        onMessage: (listener) => {
          child.on('message', listener)
        },
        onExit: (listener) => {
          child.once('exit', listener)
        },
        kill: () => {
          // A hanging keychain call ignores SIGTERM, which is what `kill()` sends.
          if (child.pid === undefined || process.platform === 'win32') child.kill()
          else killNow(child.pid)
        },
      }
    },
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}
