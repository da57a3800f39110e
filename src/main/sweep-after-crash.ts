import type { EngineFiles } from './engine-files.ts'
import type { QueueContext } from './queue/context.ts'
import { prepared } from './queue/journal.ts'

/** Jobs that were writing or could not write, and pictures whose edits their sidecars may not have. */
const AT_WORK = `SELECT id FROM jobs WHERE state IN ('fetching', 'writing')
  UNION SELECT id FROM jobs WHERE state = 'held' AND reason IN ('disk_full', 'target_not_writable')
  UNION SELECT id FROM jobs WHERE sha256 IN (
    SELECT sha256 FROM text_edits WHERE written = 0 UNION SELECT sha256 FROM decorative_pictures WHERE written = 0)`

/**
 * Removes the hidden files that a crash left where results are written, and gives what was moved aside its name back.
 * Called before anything is written. Only files of this journal's jobs: another computer may be at work in the same
 * folder. What cannot be swept is logged and waits for the next start.
 */
export async function sweepAfterCrash(context: QueueContext, files: Pick<EngineFiles, 'sweep'>): Promise<void> {
  const { db, store, log } = context
  const jobs = prepared<[], string>(db, AT_WORK)
    .pluck(true)
    .all()
    .flatMap((id) => store.get(id) ?? [])
  const isOurs = (id: string) =>
    prepared<[string], unknown>(db, 'SELECT 1 FROM jobs WHERE id = ?').get(id) !== undefined
  await files.sweep(jobs, isOurs, (error) =>
    log.warn('what a crash left could not be cleaned up', { error: String(error) }),
  )
}
