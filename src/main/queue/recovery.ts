import { prepared } from './journal.ts'
import { closeAllBatches } from './batches.ts'
import type { QueueContext } from './context.ts'

const CHUNK = 500

/**
 * Puts the journal in order after a restart, however the last run ended: what was being sent is in doubt, what was
 * being written is fetched again, everything else goes on where it was. Nothing is sent here.
 */
export function recover(context: QueueContext): { inDoubt: number; resumed: number } {
  const { db, store } = context
  closeAllBatches(db)
  let inDoubt = 0
  let resumed = 0
  let afterId = ''
  for (;;) {
    const jobs = store.list({ states: ['sending', 'waiting', 'fetching', 'writing'], afterId, limit: CHUNK })
    for (const job of jobs) {
      const after = store.apply(job.id, { type: 'restart' })
      if (after.state === 'unknown') inDoubt += 1
      else resumed += 1
    }
    if (jobs.length < CHUNK) break
    afterId = jobs.at(-1)!.id
  }
  // A row without its job (put aside because it no longer parsed) still stands for a request that may have left.
  prepared(
    db,
    `UPDATE payments SET state = 'unknown' WHERE state = 'sending' AND job_id NOT IN (SELECT id FROM jobs WHERE state = 'sending')`,
  ).run()
  prepared(db, `UPDATE dispatches SET outcome = 'unknown' WHERE outcome = 'open'`).run()
  context.disk.isFull = store.list({ states: ['held'], reasons: ['disk_full'], limit: 1 }).length > 0
  return { inDoubt, resumed }
}
