import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { forkChildFrom } from '../children/fork-child.ts'
import type { ChildPort, Logger } from '../../shared/runtime/ports.ts'
import { utilityChildren } from './utility-child.ts'

/**
 * Children of the desktop app. On Linux they run in a plain Node that the package brings: Electron there is linked with
 * the system's GLib, sharp brings its own, and in a process with both every picture leaks. Elsewhere they are Electron's
 * utility processes.
 */
export function desktopChildren(log: Logger): ChildPort {
  if (process.platform !== 'linux') return utilityChildren(log)
  const program = bundledNode()
  if (program !== null) return forkChildFrom(outsideArchive(import.meta.dirname), program)
  log.warn('there is no Node beside Electron: pictures are processed in Electron and take more and more memory')
  return utilityChildren(log)
}

/** In a package beside the app's archive, in a checkout among its npm packages. */
function bundledNode(): string | null {
  const checkout = join(import.meta.dirname, '../../node_modules', `node-linux-${process.arch}`, 'bin/node')
  return [join(process.resourcesPath, 'node'), checkout].find((path) => existsSync(path)) ?? null
}

/** Plain Node cannot read the archive; the package has what it needs beside it (electron-builder.yml). */
function outsideArchive(folder: string): string {
  return folder.replace(/\.asar(?=[\\/])/, '.asar.unpacked')
}
