import type { JobCounts } from '../../../shared/contract.ts'
import type { JobState } from '../../../shared/reasons.ts'

/** What the counts of a folder are shown as; each opens Jobs with those states. */
export const COUNT_GROUPS = {
  done: ['done'],
  working: ['ready', 'sending', 'waiting', 'fetching', 'writing'],
  held: ['held'],
  attention: ['failed', 'unknown'],
} as const satisfies Record<string, readonly JobState[]>
export type CountGroup = keyof typeof COUNT_GROUPS

export function countOf(counts: JobCounts, group: CountGroup): number {
  return COUNT_GROUPS[group].reduce((sum, state) => sum + counts[state], 0)
}

/** More than so many pictures to be sent at once wait until a person agrees (`core/spend-guard.ts`). */
export const CONFIRM_ABOVE = 100
