import { readFileSync } from 'node:fs'
import process from 'node:process'

/** A process that has ended may still be listed until its parent asks for it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
