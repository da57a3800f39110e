import type { JobView } from '../../shared/contract.ts'
import type { Job } from '../../shared/job.ts'
import { nextSteps } from '../core/next-steps.ts'
import type { Db } from '../queue/journal.ts'
import { removedAt } from '../queue/removed-jobs.ts'
import { reviewOf } from '../queue/reviews.ts'

/** A job with what a person can do about it. */
export function viewOf(db: Db, job: Job): JobView {
  const removedAtMs = removedAt(db, job.id)
  // A removed job has to be put back before anything can be done with it.
  return { ...job, nextSteps: removedAtMs === null ? nextSteps(job) : [], review: reviewOf(db, job), removedAtMs }
}
