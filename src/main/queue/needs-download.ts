import type { Job } from '../../shared/job.ts'
import { planWork } from '../core/plan-work.ts'

/** Whether the service's compressed file is part of what the job brings. */
export function needsDownload(job: Job): boolean {
  if (job.image === null || job.paidKey === null) return false
  const plan = planWork(job.recipe, job.image)
  return !('cannot' in plan) && plan.optimized
}
