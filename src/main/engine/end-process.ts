import process from 'node:process'

/** Whether files are being read or written: an orderly exit would wait for a network drive that does not answer. */
export const isAtFiles = (): boolean => process.getActiveResourcesInfo().some((what) => what.startsWith('FSReq'))

/** Ends a process of Node, whatever hangs: a shell that ends with the status takes its place. Windows has no such way. */
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

/** Closes resources, the last opened first. Throws the first failure once all are closed. */
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
