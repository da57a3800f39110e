import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

export interface Measured {
  wallMs: number
  /** User and system time of the process and all below it. */
  cpuMs: number
  /** The most of all of them together, shared pages counted once. */
  peakBytes: number
}

const EVERY_MS = 100
/** Of `/proc/PID/stat`, which counts in hundredths of a second on all Linux systems. */
const MS_PER_TICK = 10

/** Runs a command to its end and looks at it and its children ten times a second. Linux only. */
export async function measureProcess(command: string, args: readonly string[]): Promise<Measured> {
  const startedMs = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  let isRunning = true
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve)).finally(() => (isRunning = false))
  const cpuMs = new Map<number, number>()
  let peakBytes = 0
  while (isRunning) {
    const seen = processesBelow(child.pid!)
    for (const { pid, ms } of seen) cpuMs.set(pid, ms)
    peakBytes = Math.max(
      peakBytes,
      seen.reduce((sum, { pid }) => sum + memoryOf(pid), 0),
    )
    await Promise.race([ended, delay(EVERY_MS)])
  }
  const code = await ended
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
  return {
    wallMs: performance.now() - startedMs,
    cpuMs: [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0),
    peakBytes,
  }
}

function processesBelow(root: number): { pid: number; ms: number }[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(`/proc/${name}/stat`)
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields.length < 13
        ? []
        : [
            {
              pid: Number(name),
              parent: Number(fields[1]),
              ms: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK,
            },
          ]
    })
  const below = new Set([root])
  for (let size = 0; size !== below.size;) {
    size = below.size
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid)
  }
  return all.filter(({ pid }) => below.has(pid))
}

function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`)) ?? []
  return Number(kilobytes) * 1024
}

/** Empty for what has just gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
