import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { forkChildFrom, environmentOf } from '../children/fork-child.ts'
import type { ChildPort, Logger, ChildHandle } from '../../shared/runtime/ports.ts'
import { utilityProcess } from 'electron'
import { entryPoint } from '../children/entry-points.ts'

/**
 * On Linux, children run in a plain Node that the package brings: Electron is linked with the system's GLib and sharp brings its own,
 * and in a process with both every picture leaks. Elsewhere they are Electron's utility processes.
 */
export function desktopChildren(log: Logger): ChildPort {
  if (process.platform !== 'linux') return utilityChildren(log)
  const program = bundledNode()
  // Plain Node cannot read the archive; the package has what it needs beside it (electron-builder.yml).
  const folder = import.meta.dirname.replace(/\.asar(?=[\\/])/, '.asar.unpacked')
  if (program !== null) return forkChildFrom(folder, program)
  log.warn('there is no Node beside Electron: pictures are processed in Electron and take more and more memory')
  return utilityChildren(log)
}

/** In a package beside the app's archive, in a checkout among its npm packages. */
function bundledNode(): string | null {
  const checkout = join(import.meta.dirname, '../../node_modules', `node-linux-${process.arch}`, 'bin/node')
  return [join(process.resourcesPath, 'node'), checkout].find((path) => existsSync(path)) ?? null
}

function utilityChildren(log: Logger): ChildPort {
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
