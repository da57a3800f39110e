import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import process from 'node:process'
import type { Clock } from '../../shared/runtime/ports.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { Hook } from '../../shared/contract/hooks.ts'

const MAX_OUTPUT_BYTES = 16 * 1024
/** From the request to end until the program and what it started are killed. */
const TERM_MS = 5000
/** The system may take this long to end a killed process, and to report the end of one whose children keep its output open. */
const END_MS = 1000

/** Hangar's own variables, and those of systemd that are about Hangar's process. */
const OWN = /^(HANGAR_.*|CREDENTIALS_DIRECTORY|NOTIFY_SOCKET|WATCHDOG_\w+)$/i

interface ProgramRun {
  file: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Written to standard input, which the program need not read. */
  input: string
  limitMs: number
  clock: Pick<Clock, 'setTimer'>
  signal: AbortSignal
}

/** `why` is null if it ended with 0. */
interface ProgramEnd {
  why: Sentence | null
  /** What it wrote to standard output and standard error: the first 16 kB. */
  output: string
}

/** The person's own without Hangar's, with the event and, for calls of `hangar`, the data folder. */
export function hookEnvironment(env: NodeJS.ProcessEnv, event: Hook['on'], dataDir: string): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !OWN.test(name))
  return { ...Object.fromEntries(others), HANGAR_EVENT: event, HANGAR_DATA_DIR: dataDir }
}

/**
 * Runs a program without a shell, in a process group of its own. At the time limit or the signal, the group gets SIGTERM and five seconds
 * later SIGKILL; on Windows it is ended at once. A program that ends in time may leave others running. Never rejects.
 */
export function runProgram({ file, args, env, input, limitMs, clock, signal }: ProgramRun): Promise<ProgramEnd> {
  const output = new FirstBytes()
  let child: ChildProcess
  try {
    child = spawn(file, args, { env, stdio: 'pipe', detached: process.platform !== 'win32', windowsHide: true })
  } catch (error) {
    return Promise.resolve({ why: notStarted(error), output: '' })
  }
  return new Promise((resolve) => {
    let ending: Sentence | null = null
    const cancels: (() => void)[] = []
    const after = (ms: number, step: () => void) => cancels.push(clock.setTimer(ms, step))
    const cancelAll = () => cancels.splice(0).forEach((cancel) => cancel())
    const killNow = () => killGroup(child, 'SIGKILL')
    const finish = (why: Sentence | null) => {
      cancelAll()
      for (const stream of [child.stdout, child.stderr] as (Socket | null)[]) {
        if (ending !== null) stream?.destroy()
        // What was left running may go on writing, and holds nothing up.
        else stream?.removeAllListeners('data').resume().unref()
      }
      // Children of a program that had to be ended must not outlive it.
      if (ending !== null) killNow()
      resolve({ why: ending ?? why, output: output.text() })
    }
    const end = (why: Sentence) => {
      if (ending !== null) return
      ending = why
      killGroup(child, 'SIGTERM')
      after(TERM_MS, () => {
        killNow()
        after(END_MS, () => finish(null))
      })
    }
    const stop = () => end(say('hook_stopped'))
    // A second Ctrl+C ends this process at once.
    process.once('exit', killNow)
    signal.addEventListener('abort', stop, { once: true })
    cancels.push(
      () => process.off('exit', killNow),
      () => signal.removeEventListener('abort', stop),
    )
    after(limitMs, () => end(say('hook_too_long', { seconds: Math.round(limitMs / 1000) })))
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.add(chunk))
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined)
    child.on('error', (error) => {
      if (child.pid === undefined) finish(notStarted(error))
    })
    child.once('exit', (code, killedBy) => {
      if (ending !== null) return
      // In time: neither the limit nor a stop changes how it ended.
      cancelAll()
      after(END_MS, () => finish(endText(code, killedBy)))
    })
    child.once('close', (code, killedBy) => finish(endText(code, killedBy)))
    child.stdin?.end(input)
    if (signal.aborted) stop()
  })
}

function endText(code: number | null, killedBy: NodeJS.Signals | null): Sentence | null {
  if (code === 0) return null
  return code === null ? say('hook_killed', { signal: killedBy ?? '?' }) : say('hook_exit', { status: String(code) })
}

function notStarted(error: unknown): Sentence {
  const { code } = error as NodeJS.ErrnoException
  return say('hook_not_started', { code: code ?? '?' })
}

/** What goes beyond is read and dropped, so that the program is not held up. */
class FirstBytes {
  readonly #chunks: Buffer[] = []
  #bytes = 0

  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, Math.max(0, MAX_OUTPUT_BYTES - this.#bytes))
    if (kept.length > 0) this.#chunks.push(kept)
    this.#bytes += chunk.length
  }

  text(): string {
    const dropped = this.#bytes - MAX_OUTPUT_BYTES
    return `${Buffer.concat(this.#chunks).toString('utf8')}${dropped > 0 ? `\n(${dropped} more bytes)` : ''}`
  }
}

function killGroup({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
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
