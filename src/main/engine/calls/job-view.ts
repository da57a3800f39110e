import type { JobView } from '../../../shared/contract/jobs.ts'
import type { Job } from '../../../shared/jobs/job.ts'
import { nextSteps } from '../../core/next-steps.ts'
import type { Db } from '../../journal/journal.ts'
import { removedAt } from '../../journal/removed-jobs.ts'
import { reviewOf } from '../../journal/reviews.ts'

/** The original was replaced by an output and is kept. */
export function isReplaced({ recipe, outputs, source }: Job): boolean {
  return (
    recipe.output.kind === 'replace' &&
    outputs.some(({ state, role, path }) => state === 'published' && role !== 'sidecar' && path === source.path)
  )
}

export function viewOf(db: Db, job: Job): JobView {
  const removedAtMs = removedAt(db, job.id)
  // A removed job has to be put back before anything can be done with it.
  return { ...job, nextSteps: removedAtMs === null ? nextSteps(job) : [], review: reviewOf(db, job), removedAtMs }
}
