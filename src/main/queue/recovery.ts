import type { Job } from '../../shared/jobs/job.ts'
import { prepared } from '../journal/journal.ts'
import { closeAllBatches } from '../journal/batches.ts'
import { UNWRITTEN } from '../journal/text-edits.ts'
import type { QueueContext } from './context.ts'
import { UNWRITABLE } from './sweep-holds.ts'

const CHUNK = 500

/**
 * Cleans up after a crash, in the folders that these jobs were writing to, what jobs of this journal left; asks for their ids only
 * where something was left. Calls back for each folder where it fails.
 */
export interface Sweeper {
  sweep(jobs: readonly Job[], ownIds: () => readonly string[], onError: (error: unknown) => void): Promise<void>
}

/**
 * Brings the journal to a consistent state after a restart, however the last run ended: jobs that were being sent become
 * unknown, those that were being written are fetched again, all others continue where they were. Sends nothing.
 */
export function recover(context: QueueContext): { unknown: number; resumed: number } {
  const { db, store } = context
  closeAllBatches(db)
  let unknown = 0
  let resumed = 0
  let afterId = ''
  for (;;) {
    const jobs = store.list({ states: ['sending', 'waiting', 'fetching', 'writing'], afterId, limit: CHUNK })
    for (const job of jobs) {
      const after = store.apply(job.id, { type: 'restart' })
      if (after.state === 'unknown') unknown += 1
      else resumed += 1
    }
    if (jobs.length < CHUNK) break
    afterId = jobs.at(-1)!.id
  }
  // A row without its job (set aside because it no longer parsed) still represents a request that may have been made.
  prepared(
    db,
    `UPDATE payments SET state = 'unknown' WHERE state = 'sending' AND job_id NOT IN (SELECT id FROM jobs WHERE state = 'sending')`,
  ).run()
  prepared(db, `UPDATE dispatches SET outcome = 'unknown' WHERE outcome = 'open'`).run()
  context.writing.isBlocked = store.list({ states: ['held'], reasons: UNWRITABLE, limit: 1 }).length > 0
  return { unknown, resumed }
}

/** Jobs that were writing or could not write, pictures whose edits their sidecars or files may not have, and those being renamed. */
const AT_WORK = `SELECT id FROM jobs WHERE state IN ('fetching', 'writing')
  UNION SELECT id FROM jobs WHERE state = 'held' AND reason IN ('disk_full', 'target_not_writable', 'too_few_files', 'not_replaceable')
  UNION SELECT id FROM jobs WHERE sha256 IN (${UNWRITTEN})
  UNION SELECT job_id FROM stale_texts
  UNION SELECT doc ->> 'jobId' FROM documents WHERE kind = 'rename'`

/**
 * Removes the hidden files that a crash left where results are written, and gives what was moved aside its name back.
 * Called before anything is written. Only files of this journal's jobs: another computer may be at work in the same
 * folder. What cannot be swept is logged and waits for the next start.
 */
export async function sweepAfterCrash(context: QueueContext, files: Sweeper): Promise<void> {
  const { db, store, log } = context
  const jobs = prepared<[], string>(db, AT_WORK)
    .pluck(true)
    .all()
    .flatMap((id) => store.get(id) ?? [])
  const ownIds = () => prepared<[], string>(db, 'SELECT id FROM jobs').pluck(true).all()
  await files.sweep(jobs, ownIds, (error) =>
    log.warn('what a crash left could not be cleaned up', { error: String(error) }),
  )
}
