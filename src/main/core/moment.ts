import type { Clock } from '../../shared/ports.ts'

/**
 * Both clocks, read once. What is decided together is decided at one time: between two reads time passes, and a slot that
 * was free at the first would lie in the past or the future at the second.
 */
export interface Moment {
  wallMs: number
  monotonicMs: number
}

export function momentOf(clock: Clock): Moment {
  return { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() }
}
