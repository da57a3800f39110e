import { spawn, type ChildProcess } from 'node:child_process'
import process from 'node:process'

/** A program that was started `detached`, and what it started, as far as that stayed in its process group. */
export function killGroup({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    if (process.platform !== 'win32') process.kill(-pid, name)
    else
      spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true })
        .on('error', () => undefined)
        .unref()
  } catch {
    // It has ended.
  }
}
