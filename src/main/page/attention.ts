/* What needs a person, as `hangar status --check` and the metrics judge it. */

/** So long nothing happens to any picture only when something is wrong: a job at the service is asked for more often. */
const STANDSTILL_MS = 15 * 60_000

/** Whether a watched folder in this state is one that cannot be watched. */
export const isUnwatchable = (state: string): boolean => state === 'missing' || state === 'refused'

/** For how long nothing has happened though `active` pictures wait; null while that is in order. */
export function standstillMs(facts: {
  active: number
  paused: boolean
  /** Unix milliseconds; null for never. */
  lastEventMs: number | null
  nowMs: number
}): number | null {
  const { active, paused, lastEventMs, nowMs } = facts
  if (active === 0 || paused || lastEventMs === null) return null
  const stillMs = nowMs - lastEventMs
  return stillMs >= STANDSTILL_MS ? stillMs : null
}
