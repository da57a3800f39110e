import type { JobCounts } from '../../shared/contract.ts'

/** How many jobs go no further until a person says something. */
export function needsPerson(counts: JobCounts): number {
  return counts.held + counts.failed + counts.unknown
}
