import type { Clock } from '../../shared/runtime/ports.ts'

/** Node fires a timer with a longer delay at once (32 bits), so longer ones are set in several steps. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const realClock: Clock = {
  nowMs: () => Date.now(),
  // Since the machine started and the same in every process, so a run can continue from the times that another logged.
  monotonicMs: () => Number(process.hrtime.bigint() / 1000n) / 1000,
  setTimer: (delayMs, callback) => {
    if (delayMs > MAX_TIMER_MS) {
      let cancel = realClock.setTimer(MAX_TIMER_MS, () => {
        cancel = realClock.setTimer(delayMs - MAX_TIMER_MS, callback)
      })
      return () => cancel()
    }
    const timer = setTimeout(callback, Math.max(0, delayMs))
    return () => clearTimeout(timer)
  },
}
