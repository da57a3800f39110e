import type { Clock } from '../../src/shared/runtime/ports.ts'

/** The machine's time since it started, in ms; the same for every process. */
const machineMs = () => Number(process.hrtime.bigint() / 1000n) / 1000

/** The real clock, `speed` times faster since `epochMs` (Unix ms): all waits keep their proportions. Processes with the same two numbers agree. */
export function scaledClock(speed: number, epochMs: number): Clock {
  const bootMs = epochMs - (Date.now() - machineMs())
  return {
    nowMs: () => epochMs + (Date.now() - epochMs) * speed,
    monotonicMs: () => bootMs + (machineMs() - bootMs) * speed,
    setTimer: (delayMs, callback) => {
      const timer = setTimeout(callback, Math.min(2 ** 31 - 1, Math.max(0, delayMs / speed)))
      return () => clearTimeout(timer)
    },
  }
}
