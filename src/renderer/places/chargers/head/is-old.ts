import type { ChargerStatus } from '../../../../shared/chargers/charger-status.ts'

const MINUTE_MS = 60_000
/** The age at which data that is only refreshed by hand counts as old: live states change within hours. */
const BY_HAND_MINUTES = 60
/** Whether the data is older than it should be: two refreshes were missed, or the last one failed. */
export function isOld(
  { atMs, problem }: Pick<ChargerStatus, 'atMs' | 'problem'>,
  refreshMinutes: number,
  nowMs: number,
): boolean {
  if (atMs === null) return false
  const allowed = refreshMinutes === 0 ? BY_HAND_MINUTES : 2 * refreshMinutes + 1
  return nowMs - atMs > allowed * MINUTE_MS || (problem !== null && problem.atMs >= atMs)
}
