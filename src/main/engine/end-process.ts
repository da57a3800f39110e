import process from 'node:process'

/**
 * Whether files are being read or written. An orderly end of the process waits for that: for ever, where a network drive does not answer.
 */
export const isAtFiles = (): boolean => process.getActiveResourcesInfo().some((what) => what.startsWith('FSReq'))

/**
 * Ends a process of Node with this status, whatever hangs: where files are being read or written, a shell that ends with the status takes
 * the place of the process, after what is to be done at its exit. Windows has no such way.
 */
export function endProcess(status: number): never {
  if (isAtFiles() && process.platform !== 'win32') {
    process.emit('exit', status)
    try {
      process.execve?.('/bin/sh', ['sh', '-c', `exit ${status}`], {})
    } catch {
      // There is no shell.
    }
  }
  process.exit(status)
}

/**
 * Closes resources one after the other, the last opened first. A failure does not keep the others from being closed. Throws the
 * first failure once all are closed.
 */
export async function closeAll(opened: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of [...opened].reverse())
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}
