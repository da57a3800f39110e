import { spawn, type ChildProcess } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import process from 'node:process'
import type { Clock } from '../../shared/runtime/ports.ts'
import { killGroup } from '../files/kill-group.ts'

const MAX_ERROR_BYTES = 2048
const LOOK_MS = 200

export interface DecoderLimits {
  /** The most bytes that the file it makes may have. */
  maxBytes: number
  /** The most bytes of memory that it may have, where Linux says how much that is. */
  maxMemory: number
  limitMs: number
}

interface DecoderRun extends DecoderLimits {
  /** Absolute, as are the files among the arguments, so that no name is taken for an option. */
  file: string
  args: readonly string[]
  folder: string
  /** The file that it makes. */
  output: string
  clock: Pick<Clock, 'setTimer'>
  signal: AbortSignal
}

/** `said`: the beginning of what it wrote to standard error, which is untrusted. */
export type DecoderEnd =
  | { how: 'done' | 'missing' | 'too_long' | 'too_large' | 'too_much_memory' | 'stopped' }
  | { how: 'failed'; said: string }

/**
 * Runs a program on an untrusted picture: without a shell, input or any variable of Hangar's, in a process group of its own that is
 * killed at the limits and in any case at its end. Never rejects.
 */
export function runDecoder(run: DecoderRun): Promise<DecoderEnd> {
  const { file, args, folder, clock, signal } = run
  if (signal.aborted) return Promise.resolve({ how: 'stopped' })
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, LC_ALL: 'C', TMPDIR: folder }
  let child: ChildProcess
  try {
    child = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  } catch {
    return Promise.resolve({ how: 'missing' })
  }
  return new Promise((resolve) => {
    const cancels: (() => void)[] = []
    const kill = () => killGroup(child, 'SIGKILL')
    const finish = (end: DecoderEnd) => {
      for (const cancel of cancels.splice(0)) cancel()
      kill()
      child.stderr?.destroy()
      resolve(end)
    }
    const stop = () => finish({ how: 'stopped' })
    let said = ''
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (said += text.slice(0, MAX_ERROR_BYTES - said.length)))
    child.stderr?.on('error', () => undefined)
    child.on('error', () => {
      if (child.pid === undefined) finish({ how: 'missing' })
    })
    // What it left running would hold its standard error open; the last of what it said comes after its exit.
    child.once('exit', kill)
    child.once('close', (code) => finish(code === 0 ? { how: 'done' } : { how: 'failed', said }))
    signal.addEventListener('abort', stop, { once: true })
    process.once('exit', kill)
    cancels.push(
      () => signal.removeEventListener('abort', stop),
      () => process.off('exit', kill),
      clock.setTimer(run.limitMs, () => finish({ how: 'too_long' })),
      watchSize(run, child, (how) => finish({ how })),
    )
  })
}

/** Calls back once the output or the program is too large; returns cancel. */
function watchSize(
  { output, maxBytes, maxMemory, clock }: DecoderRun,
  { pid }: ChildProcess,
  tooLarge: (how: 'too_large' | 'too_much_memory') => void,
): () => void {
  let isOver = false
  const later = () =>
    clock.setTimer(LOOK_MS, () => {
      look().catch(() => undefined)
    })
  let cancel = later()
  async function look(): Promise<void> {
    const found = await stat(output).catch(() => null)
    const memory = await memoryOf(pid)
    if (isOver) return
    if (found !== null && found.size > maxBytes) tooLarge('too_large')
    else if (memory > maxMemory) tooLarge('too_much_memory')
    else cancel = later()
  }
  return () => {
    isOver = true
    cancel()
  }
}

/** What a process has of the memory on Linux, in bytes (proc_pid_status(5)); else, and once it has ended, 0. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
