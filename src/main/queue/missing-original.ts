import type { Job } from '../../shared/jobs/job.ts'
import { raw } from '../../shared/sentences/sentence.ts'
import { held, skipped, type JobEvent } from '../core/transition.ts'
import { forgetKnownFile } from '../journal/known-files.ts'
import type { QueueContext } from './context.ts'

/** The original may be on a drive that comes back. A deleted one is forgotten, so that it is taken in if it reappears. */
export async function eventForMissing({ files, db }: QueueContext, { rootDir, source }: Job): Promise<JobEvent> {
  if (!(await files.isFolder(rootDir))) return held('folder_missing', raw(rootDir))
  forgetKnownFile(db, source.path)
  return skipped('source_gone')
}
