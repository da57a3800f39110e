import type { ChargerStatus } from '../../../../shared/charger-status.ts'

const MINUTE_MS = 60_000
/** What is only refreshed by hand is old after so long: live states of yesterday help nobody. */
const BY_HAND_MINUTES = 60

/** Whether the chargers are older than they should be: two refreshes were missed, or the last one failed. */
export function isOld(
  { atMs, problem }: Pick<ChargerStatus, 'atMs' | 'problem'>,
  refreshMinutes: number,
  nowMs: number,
): boolean {
  if (atMs === null) return false
  const allowed = refreshMinutes === 0 ? BY_HAND_MINUTES : 2 * refreshMinutes + 1
  return nowMs - atMs > allowed * MINUTE_MS || (problem !== null && problem.atMs >= atMs)
}
