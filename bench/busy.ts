import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'

interface TraceEvent {
  name: string
  pid: number
  tid: number
  ph: string
  /** Microseconds of processor time. */
  tdur?: number
  args?: { name?: string }
}

/**
 * The longest task of a page's main thread while `act` runs, in ms of processor time: what a page measures itself is time on
 * the clock, in which a busy machine may have done something else.
 */
export async function longestTaskCpuMs(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as { traceEvents: TraceEvent[] }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && mains.has(`${pid} ${tid}`))
  if (tasks.length === 0) throw new Error('the trace has no tasks: nothing was measured')
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0)
}

/** Starts to count; the result says how much of the processors' time others on the same host took from this machine until then. */
export function countStolen(): () => string {
  const read = () => {
    const ticks = /^cpu +(.+)$/m.exec(readFileSync('/proc/stat', 'utf8'))![1]!.split(' ').map(Number)
    // Guests' time, the last two, is part of the first two already.
    return { stolen: ticks[7] ?? 0, all: ticks.slice(0, 8).reduce((sum, count) => sum + count, 0) }
  }
  const before = read()
  return () => {
    const now = read()
    return `${(((now.stolen - before.stolen) / (now.all - before.all)) * 100).toFixed(0)} %`
  }
}

/** Of numbers in any order; NaN of none. */
export function percentile95(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * 0.95)] ?? NaN
}
