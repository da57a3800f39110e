import { dirname } from 'node:path'
import { UNDER_WAY_STATES } from '../../shared/sentences/job-states.ts'
import { closeAllBatches } from '../journal/batches.ts'
import { allJobIds, jobsAtWork } from '../journal/job-ids.ts'
import { recoverPayments } from '../journal/payments.ts'
import type { QueueContext } from './context.ts'
import { nameFactsOf, resultsOf } from './name-facts.ts'
import { UNWRITABLE } from './sweep-holds.ts'

/** Cleans up what jobs of this journal left in folders after a crash; asks for their ids only if something was left. */
export interface Sweeper {
  sweep(
    folders: readonly { dir: string; rootDir: string }[],
    ownIds: () => readonly string[],
    onError: (error: unknown) => void,
  ): Promise<void>
}

/** After a restart: jobs that were being sent become unknown, those that were being written are fetched again. Sends nothing. */
export function recover(context: QueueContext): { unknown: number; resumed: number } {
  const { db, store } = context
  closeAllBatches(db)
  let unknown = 0
  let resumed = 0
  for (const job of store.each({ states: UNDER_WAY_STATES })) {
    const after = store.apply(job.id, { type: 'restart' })
    if (after.state === 'unknown') unknown += 1
    else resumed += 1
  }
  recoverPayments(db)
  context.writing.isBlocked = store.list({ states: ['held'], reasons: UNWRITABLE, limit: 1 }).length > 0
  return { unknown, resumed }
}

/**
 * Removes hidden files that a crash left, and gives what was moved aside its name back, before anything is written. Only files of this
 * journal's jobs: another computer may be at work in the same folder.
 */
export async function sweepAfterCrash(context: QueueContext, files: Sweeper): Promise<void> {
  const { db, store, log } = context
  const folders = new Map<string, string>()
  for (const id of jobsAtWork(db)) {
    const job = store.get(id)
    if (job === null) continue
    const place = context.files.place(job.source.path, job.rootDir, job.recipe.output, nameFactsOf(context, job))
    const results = await Promise.all(resultsOf(job).map((result) => context.files.resultDir(place, result)))
    const written = job.outputs.map(({ path }) => dirname(path))
    for (const dir of [place.targetDir, ...results, ...written]) folders.set(dir, place.targetRoot)
  }
  await files.sweep(
    [...folders].map(([dir, rootDir]) => ({ dir, rootDir })),
    () => allJobIds(db),
    (error) => log.warn('what a crash left could not be cleaned up', { error: String(error) }),
  )
}
