import type { JobView } from '../../shared/contract.ts'
import type { Job } from '../../shared/job.ts'
import { nextSteps } from '../core/next-steps.ts'
import type { Db } from '../queue/journal.ts'
import { reviewOf } from '../queue/reviews.ts'

/** A job with what a person can do about it. */
export function viewOf(db: Db, job: Job): JobView {
  return { ...job, nextSteps: nextSteps(job), review: reviewOf(db, job) }
}
