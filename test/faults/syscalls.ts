import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'

/** System calls by which anything on the disk comes to be what it is. */
const CALLS = (
  'openat mkdir write writev pwrite64 ftruncate fsync fdatasync link linkat unlink unlinkat rename ' +
  'renameat renameat2'
)
  .split(' ')
  .join(',')

/** The thread that runs JavaScript and SQLite, or the one that does the rest of the file work. */
export type ThreadName = 'main' | 'pool'

/** The thread's id; the process must run with a thread pool of one. */
function threadOf(pid: number, thread: ThreadName): number {
  if (thread === 'main') return pid
  const found = readdirSync(`/proc/${pid}/task`).find((tid) =>
    readFileSync(`/proc/${pid}/task/${tid}/comm`, 'utf8').startsWith('libuv-worker'),
  )
  if (found === undefined) throw new Error('the process has no thread pool yet')
  return Number(found)
}

/** A system call of one thread: `nth` counts from 1 among the calls of its name. */
export interface Call {
  call: string
  nth: number
}

/** Every call in a log of strace, in order; in one with paths (`-y`), without those to pipes, sockets and the like. */
function callsIn(log: string): Call[] {
  const seen = new Map<string, number>()
  return [...log.matchAll(/^(\w+)\((\d+<\w+:)?/gm)].flatMap(([, call = '', elsewhere]) => {
    const nth = (seen.get(call) ?? 0) + 1
    seen.set(call, nth)
    return elsewhere === undefined ? [{ call, nth }] : []
  })
}

/** Attaches strace and resolves once it stands; it ends with the process, or when `detach` is called. */
export async function attachStrace(args: string[]): Promise<{ detach(): Promise<void> }> {
  const child = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('attached')) resolve()
    })
    child.once('close', () => reject(new Error(`strace did not attach: ${said}`)))
  })
  const detach = async () => {
    child.kill('SIGINT')
    await ended
  }
  return { detach }
}

const attachTo = (pid: number, thread: ThreadName, ...args: string[]) =>
  attachStrace(['-p', `${threadOf(pid, thread)}`, ...args])

/** What becomes of this call of the thread, e.g. `signal=KILL`. */
export const inject = (pid: number, thread: ThreadName, { call, nth }: Call, what: string) =>
  attachTo(pid, thread, '-e', `trace=${call}`, '-e', `inject=${call}:${what}:when=${nth}`, '-o', '/dev/null')

/** Every call that the thread makes during `work`, in order; `log` is a file to write, `more` goes to strace. */
export async function callsDuring(
  pid: number,
  thread: ThreadName,
  log: string,
  work: () => Promise<unknown>,
  ...more: string[]
): Promise<Call[]> {
  const strace = await attachTo(pid, thread, ...more, '-e', `trace=${CALLS}`, '-o', log)
  await work()
  await strace.detach()
  return callsIn(readFileSync(log, 'utf8'))
}

/** A log of `strace -y` with the folders that descriptors stand for in place of `/proc/self/fd/…`; it must hold the openat calls. */
export function withFolderPaths(log: string): string {
  const paths = new Map<string, string>()
  return log
    .split('\n')
    .map((line) => {
      const opened = /\bopenat\b.* = (\d+)<([^>]*)>$/.exec(line)
      if (opened !== null) paths.set(opened[1]!, opened[2]!)
      return line.replace(/\/proc\/self\/fd\/(\d+)/g, (address, fd: string) => paths.get(fd) ?? address)
    })
    .join('\n')
}
