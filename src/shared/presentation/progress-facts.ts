import type { JobCounts } from '../contract/jobs.ts'
import type { Progress } from '../contract/stream.ts'

/*
 * The current progress as facts that strip, tray and title each put into their own words. No zod here: this is bundled into
 * the page as well.
 */

export type ProgressFact =
  | { code: 'paused' | 'idle' }
  /** `ended`: jobs in any end state. */
  | { code: 'working'; ended: number; total: number }
  /** Of the work since the queue was last empty. */
  | { code: 'done' | 'skipped'; count: number }
  /** Batches that wait for a drive. */
  | { code: 'away'; count: number }

interface Work {
  progress: Pick<Progress, 'total' | 'ended' | 'done' | 'skipped'>
  counts: Pick<JobCounts, 'failed' | 'unknown' | 'held'> & Partial<JobCounts>
  paused: boolean
  away?: number
}

/** In display order. `idle` occurs alone or with a pause: when anything waits, the queue is not idle. */
export function progressFacts({ progress, counts, paused, away = 0 }: Work): ProgressFact[] {
  const { total, ended, done, skipped } = progress
  const isWorking = ended < total
  const facts: ProgressFact[] = isWorking ? [{ code: 'working', ended, total }] : []
  if (!isWorking && done > 0) facts.push({ code: 'done', count: done })
  if (!isWorking && skipped > 0) facts.push({ code: 'skipped', count: skipped })
  if (away > 0) facts.push({ code: 'away', count: away })
  if (facts.length === 0 && needsPerson(counts) === 0) facts.push({ code: 'idle' })
  return paused ? [{ code: 'paused' }, ...facts] : facts
}

/** How many jobs cannot continue until a person decides. */
export function needsPerson(counts: Work['counts']): number {
  return counts.held + counts.failed + counts.unknown
}

/** Rounds a rate to its precision: in tenths while it is small, so that a slow queue does not seem to stand still. */
export function rateFigure(perMinute: number): number {
  return perMinute < 10 ? Math.round(perMinute * 10) / 10 : Math.round(perMinute)
}
