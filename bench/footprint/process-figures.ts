import { readdirSync, readFileSync } from 'node:fs'

/** What processes took of the processors and how often they waited, by the name of each thread. */
export interface Worked {
  /** Hundredths of a second of processor time, as the kernel counts them: whole ones of each process. */
  ticks: number
  /** The same in milliseconds, as the scheduler measured it. */
  ranMs: number
  /** How often a thread gave up its processor to wait, by process and thread. */
  waits: Map<string, number>
}

/** Shared pages are divided among those who share them. */
export function memoryKb(pids: readonly number[]): number {
  const of = (pid: number) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])
  return pids.map(of).reduce((sum, kb) => sum + kb, 0)
}

export function worked(processes: readonly { pid: number; kind: string }[]): Worked {
  const waits = new Map<string, number>()
  let ticks = 0
  let ranMs = 0
  for (const { pid, kind } of processes) {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    ticks += Number(fields[11]) + Number(fields[12])
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
      const name = `${kind}: ${/^Name:\s+(.*)/.exec(status)?.[1]}`
      const count = Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])
      waits.set(name, (waits.get(name) ?? 0) + count)
      ranMs += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    }
  }
  return { ticks, ranMs, waits }
}

export function since(before: Worked, now: Worked): Worked {
  const waits = [...now.waits].map(([name, count]) => [name, count - (before.waits.get(name) ?? 0)] as const)
  return { ticks: now.ticks - before.ticks, ranMs: now.ranMs - before.ranMs, waits: new Map(waits) }
}
