import type { JobCounts } from './contract.ts'
import type { Progress } from './ui-contract.ts'

/*
 * What goes on, as facts that every strip, tray and title says in its own words. No zod here: this goes into the page as well.
 */

export type ProgressFact =
  | { code: 'paused' | 'idle' }
  /** `ended`: however they ended. */
  | { code: 'working'; ended: number; total: number }
  /** `done` and `skipped` are of the work since the queue was last empty; the others stand until a person decides. */
  | { code: 'done' | 'skipped' | 'failed' | 'unknown' | 'held'; count: number }
  /** Batches that wait for a drive. */
  | { code: 'away'; count: number }

export interface Work {
  progress: Pick<Progress, 'total' | 'ended' | 'done' | 'skipped'>
  counts: Pick<JobCounts, 'failed' | 'unknown' | 'held'>
  paused: boolean
  away?: number
}

/** In the order in which they are said. `idle` stands alone, but for a pause: where anything waits, nothing is idle. */
export function progressFacts({ progress, counts, paused, away = 0 }: Work): ProgressFact[] {
  const { total, ended, done, skipped } = progress
  const isWorking = ended < total
  const facts: ProgressFact[] = isWorking ? [{ code: 'working', ended, total }] : []
  const counted = { ...(isWorking ? {} : { done, skipped }), failed: counts.failed }
  for (const [code, count] of Object.entries({ ...counted, unknown: counts.unknown, held: counts.held }))
    if (count > 0) facts.push({ code: code as 'done', count })
  if (away > 0) facts.push({ code: 'away', count: away })
  if (facts.length === 0) facts.push({ code: 'idle' })
  return paused ? [{ code: 'paused' }, ...facts] : facts
}

/** How many jobs go no further until a person says something. */
export function needsPerson(counts: JobCounts): number {
  return counts.held + counts.failed + counts.unknown
}
