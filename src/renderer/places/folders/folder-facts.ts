import type { JobCounts } from '../../../shared/contract/jobs.ts'
import { countIn } from '../../../shared/presentation/progress-figures.ts'
import { ACTIVE_STATES, type JobState } from '../../../shared/sentences/reasons.ts'

/** The groups in which a folder's jobs are counted; each opens Pictures with those states. */
export const COUNT_GROUPS = {
  done: ['done'],
  working: ACTIVE_STATES,
  held: ['held'],
  failed: ['failed'],
  unknown: ['unknown'],
} as const satisfies Record<string, readonly JobState[]>
export type CountGroup = keyof typeof COUNT_GROUPS

export function countOf(counts: JobCounts, group: CountGroup): number {
  return countIn(counts, COUNT_GROUPS[group])
}

/** A larger batch needs a person's approval, unless the folder has its own limit. */
export const ASK_ABOVE = 100
/** The engine's own bound (`Folder` in the contract). */
const MAX_ASKED = 1_000_000

/** A typed number; null for anything else. 0 means never ask. */
export function askAboveOf(text: string): number | null {
  const number = /^\d{1,7}$/.test(text.trim()) ? Number(text) : null
  return number !== null && number <= MAX_ASKED ? number : null
}
