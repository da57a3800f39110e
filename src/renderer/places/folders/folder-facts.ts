import type { JobCounts } from '../../../shared/contract/jobs.ts'
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

/** More pictures at once wait until a person agrees, unless the folder has a limit of its own. */
export const ASK_ABOVE = 100
/** The engine's own bound (`Folder` in the contract). */
const MOST_ASKED = 1_000_000

/** A number as it is typed; null for anything else. 0 asks never. */
export function askAboveOf(text: string): number | null {
  const number = /^\d{1,7}$/.test(text.trim()) ? Number(text) : null
  return number !== null && number <= MOST_ASKED ? number : null
}
