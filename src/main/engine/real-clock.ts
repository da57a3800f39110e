import type { Clock } from '../../shared/ports.ts'

/** A timer longer than this would fire at once (its delay is a 32-bit number); it is set again when it goes off. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const realClock: Clock = {
  nowMs: () => Date.now(),
  // Since the machine started, the same for every process: what one run logged, the next can go on from.
  monotonicMs: () => Number(process.hrtime.bigint() / 1000n) / 1000,
  setTimer: (delayMs, callback) => {
    if (delayMs > LONGEST_TIMER_MS) {
      let cancel = realClock.setTimer(LONGEST_TIMER_MS, () => {
        cancel = realClock.setTimer(delayMs - LONGEST_TIMER_MS, callback)
      })
      return () => cancel()
    }
    const timer = setTimeout(callback, Math.max(0, delayMs))
    return () => clearTimeout(timer)
  },
}
