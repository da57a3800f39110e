import type { Job } from '../../shared/jobs/job.ts'
import { raw } from '../../shared/sentences/sentence.ts'
import { held, skipped, type JobEvent } from '../core/transition.ts'
import { forgetKnownFile } from '../journal/known-files.ts'
import type { QueueContext } from './context.ts'

/**
 * The event for a job whose original is missing: on an unmounted drive it may come back, so the job waits for it; a deleted
 * file is skipped, and forgotten, so that it is taken in again if it reappears.
 */
export async function eventForMissing(context: QueueContext, job: Job): Promise<JobEvent> {
  if (!(await context.files.isFolder(job.rootDir))) return held('folder_missing', raw(job.rootDir))
  forgetKnownFile(context.db, job.source.path)
  return skipped('source_gone')
}
