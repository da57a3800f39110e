import type { Job } from '../../shared/job.ts'
import type { JobEvent } from '../core/transition.ts'
import type { QueueContext } from './context.ts'
import { forgetSeen } from './seen.ts'

/**
 * What becomes of a job whose original is not there: a drive that is away comes back, so the job waits for it; a file
 * that is gone is skipped, and forgotten, so that it is taken in again should it come back.
 */
export async function eventForMissing(context: QueueContext, job: Job): Promise<JobEvent> {
  if (!(await context.files.isFolder(job.rootDir)))
    return { type: 'hold', reason: { code: 'folder_missing', detail: job.rootDir.slice(0, 500) } }
  forgetSeen(context.db, job.source.path)
  return { type: 'skip', reason: { code: 'source_gone', detail: null } }
}
